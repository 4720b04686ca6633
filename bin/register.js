// As a dependency Tradewind lies below `node_modules`, where Node takes the types out of no module by
// itself. This does it for Tradewind's own: `node --import tradewind/register` in any program, and in
// each thread anew, for a thread has none of the hooks of the one that started it.
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';

const own = new URL('..', import.meta.url).href;
if (own.includes('/node_modules/')) {
  registerHooks({
    load: (url, context, next) =>
      url.startsWith(own) && url.endsWith('.ts')
        ? { format: 'module', source: withoutTypes(url), shortCircuit: true }
        : next(url, context),
  });
}

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
