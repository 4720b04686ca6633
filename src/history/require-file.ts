import { statSync } from 'node:fs';

/**
 * Makes sure that what there is of data is a file, or a folder, which reading refuses: to open a named
 * pipe waits for whoever writes it, for ever and past any signal, and none can be read twice.
 *
 * @throws {TypeError} when it is a pipe, a device or a socket.
 */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  const is = found.isFIFO() ? 'a pipe, which cannot be read twice' : 'no file';
  throw new TypeError(`it is ${is}, a file is wanted`);
}
