import { writeSync } from 'node:fs';
import { EXIT_CODES } from '../app/index.ts';

/** What Node's types leave out of a standard output that is a file. */
interface FileStream {
  readonly _type?: string;
}

/**
 * Writes what a command found to standard output. Where that does not take all of it, as a file on a
 * full disk, the command has failed; a reader who has gone, as with `| head`, has what was wanted.
 */
export function writeFindings(text: string): void {
  const { stdout } = process;
  if ((stdout as FileStream)._type !== 'fs') {
    stdout.write(text, (error) => error && fail(error));
    return;
  }
  try {
    writeWhole(stdout.fd, Buffer.from(text));
  } catch (thrown) {
    fail(thrown as Error);
  }
}

/**
 * Waits until whoever reads standard output has all that was written, where he takes it when it suits
 * him. False: it takes no more, for good.
 */
export function findingsTaken(): Promise<boolean> {
  const { stdout } = process;
  if ((stdout as FileStream)._type === 'fs') return Promise.resolve(!hasFailed);
  return new Promise((resolve) => {
    stdout.write('', (error) => resolve(!error && !hasFailed));
  });
}

/** Of a file that has room for a part alone, Node's own stream leaves the rest out and says nothing. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

let hasFailed = false;

function fail(error: NodeJS.ErrnoException): void {
  if (hasFailed || error.code === 'EPIPE') return;
  hasFailed = true;
  process.exitCode ||= EXIT_CODES.defect;
  const wanted = 'a place that takes all of it is wanted';
  process.stderr.write(`tradewind: Cannot write to standard output: ${error.message}, ${wanted}\n`);
}
