import { statSync } from 'node:fs';

/**
 * Refuses a named pipe in place of a file that is read at once: opening it waits for ever, and no
 * signal ends that. Those of a shell (`<(...)`) are open already.
 *
 * @throws {TypeError} when it is one.
 */
export function refuseNamedPipe(file: string): void {
  if (file.startsWith('/dev/') || !statSync(file, { throwIfNoEntry: false })?.isFIFO()) return;
  throw new TypeError('it is a named pipe, which waits for who writes it, a file is wanted');
}
