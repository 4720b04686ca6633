import { EXIT_CODES, printable, rooms } from '../app/index.ts';

const { exitCodeOf, withHint } = await rooms.errors();
const { messageOf, stackOf } = await rooms.nouns();

/** Tells standard error what nobody caught and gives the exit code of a defect. */
export function reportUncaught(thrown: unknown): number {
  const what = `an error of a strategy or a library that nobody caught: ${messageOf(thrown)}`;
  const error = new Error(what, { cause: thrown });
  const stack = stackOf(thrown);
  if (stack !== undefined) error.stack = stack;
  return reportFailure(error);
}

/** Tells standard error why a command failed and gives its exit code. */
export function reportFailure(thrown: unknown): number {
  const code = exitCodeOf(thrown);
  const message = messageOf(thrown);
  // Elsewhere, as at the address of alerts, no exchange would listen.
  const told = code === EXIT_CODES.exchange ? withHint(message) : message;
  // What an exchange answered stands in it.
  const lines = told.split('\n').map(printable);
  process.stderr.write(`tradewind: ${lines.join('\n')}\n`);
  // A defect's stack helps whoever mends it; a foreseen error's would only hide the message.
  if (code === 1 && thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`);
  return code;
}
