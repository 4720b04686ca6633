const end = process.exit.bind(process);

/** Ends the process at once, whatever it does. */
export function quit(code?: number): never {
  // Told undefined, Node forgets the code that was set.
  return code === undefined ? end() : end(code);
}

/** So long a terminal may stand still with the last words, milliseconds. */
const TOLD_MAX_MS = 5_000;

/** Ends the process once standard output has taken what was written to it, or never will. */
export function quitOnceTold(code: number): void {
  const end = (): never => quit(code);
  setTimeout(end, TOLD_MAX_MS);
  process.stdout.write('', end);
}

/**
 * From now on `process.exit` throws. Called by a strategy, or by a library in it, it would end a run
 * without a stop: orders would rest, no summary be told, and the code say that all is well.
 */
export function forbidExit(): void {
  process.exit = (code) => {
    throw new Error(`process.exit(${code ?? ''}) was called, which would end all without a stop`);
  };
}
