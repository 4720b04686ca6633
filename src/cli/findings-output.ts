import { writeSync } from 'node:fs';
import { EXIT_CODES } from '../app/index.ts';

/** A field that Node's types leave out: `fs` if standard output is a file. */
interface FileStream {
  readonly _type?: string;
}

/**
 * Writes what a command found to standard output. If the write fails, as on a full disk, the
 * command has failed. A reader that left early, as with `| head`, is no failure.
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
 * Waits until everything written to standard output has been taken by its reader. False if standard
 * output takes no more.
 */
export function findingsTaken(): Promise<boolean> {
  const { stdout } = process;
  if ((stdout as FileStream)._type === 'fs') return Promise.resolve(!hasFailed);
  return new Promise((resolve) => {
    stdout.write('', (error) => resolve(!error && !hasFailed));
  });
}

/** Writes all bytes or throws; on a full disk Node's own stream silently drops the rest. */
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
