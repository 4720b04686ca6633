const end = process.exit.bind(process);

/** Ends the process at once, whatever it is doing. */
export function quit(code?: number): never {
  // Given undefined, Node would forget the exit code that was set.
  return code === undefined ? end() : end(code);
}

/** Longest wait for a terminal to take the last words, milliseconds. */
const TOLD_MAX_MS = 5_000;

/** Ends the process once standard output has taken its text, failed or stood still too long. */
export function quitOnceTold(code: number): void {
  const end = (): never => quit(code);
  setTimeout(end, TOLD_MAX_MS);
  process.stdout.write('', end);
}

/**
 * From now on `process.exit` throws. Called by a strategy or its library it would end a run without
 * a stop: orders would stay, no summary be printed, and the exit code report success.
 */
export function forbidExit(): void {
  process.exit = (code) => {
    throw new Error(`process.exit(${code ?? ''}) was called, which would end all without a stop`);
  };
}
