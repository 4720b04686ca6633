import { statSync } from 'node:fs';

/**
 * Makes sure that what is read at once is no named pipe: to open one waits for ever and past any
 * signal. Those of a shell (`<(...)`) are open already.
 *
 * @throws {TypeError} when it is one.
 */
export function refuseNamedPipe(file: string): void {
  if (file.startsWith('/dev/') || !statSync(file, { throwIfNoEntry: false })?.isFIFO()) return;
  throw new TypeError('it is a named pipe, which waits for who writes it, a file is wanted');
}
