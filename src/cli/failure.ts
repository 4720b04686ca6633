import { rooms } from '../app/index.ts';
import { printable } from './printable.ts';

const { exitCodeOf } = await rooms.errors();
const { messageOf } = await rooms.nouns();

/** Tells standard error why a command failed and gives its exit code. */
export function reportFailure(thrown: unknown): number {
  const code = exitCodeOf(thrown);
  // What an exchange answered stands in it.
  const lines = hinted(messageOf(thrown)).split('\n').map(printable);
  process.stderr.write(`tradewind: ${lines.join('\n')}\n`);
  // A defect's stack helps whoever mends it; a foreseen error's would only hide the message.
  if (code === 1 && thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`);
  return code;
}

const NOTHING_LISTENS = 'nothing listens there';

/** With what to look at where nothing took the connection. */
function hinted(message: string): string {
  if (!message.includes('ECONNREFUSED') || message.includes(NOTHING_LISTENS)) return message;
  const wanted = 'is that the address, and does `tradewind exchange` run?';
  return `${message}\n${NOTHING_LISTENS}: ${wanted}`;
}
