// Starts the command line on a Node that is new enough for it, quickly.
import { existsSync, readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks, stripTypeScriptTypes } from 'node:module';

// Most of a short command's time goes into reading its own sources: what was read is kept. Before
// the first of them, since even what takes the types out of one is slow to read.
enableCompileCache();

// All of rxjs is in one file of its package too, which is read in a tenth of the time.
const rxjs = import.meta.resolve('rxjs');
const bundle = new URL('../bundles/rxjs.umd.js', rxjs);
if (existsSync(bundle)) {
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context);
      return found.url === rxjs ? { ...found, url: bundle.href } : found;
    },
  });
}

// As a dependency it lies below `node_modules`, where Node takes the types out of no module by itself.
const own = new URL('..', import.meta.url).href;
if (own.includes('/node_modules/')) {
  registerHooks({
    load: (url, context, next) =>
      url.startsWith(own) && url.endsWith('.ts')
        ? { format: 'module', source: withoutTypes(url), shortCircuit: true }
        : next(url, context),
  });
}

await import('../src/cli/main.ts');

/** The source of a module, with blanks in place of its types. */
function withoutTypes(url) {
  const { emitWarning } = process;
  // It says of itself that it is experimental, which is of no use to who gives a command.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'));
  } finally {
    process.emitWarning = emitWarning;
  }
}
