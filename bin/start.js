// Starts the command line on a Node that is new enough for it, quickly.
import { existsSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import './register.js';

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

await import('../src/cli/main.ts');
