import { statSync } from 'node:fs';

/**
 * Refuses a path that is neither missing nor a file nor a folder, which reading itself refuses. To
 * open a named pipe waits for its writer, for ever and past any signal, and no pipe can be read
 * twice.
 *
 * @throws {TypeError} when it is a pipe, a device or a socket.
 */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  const is = found.isFIFO() ? 'a pipe, which cannot be read twice' : 'no file';
  throw new TypeError(`it is ${is}, a file is wanted`);
}
