import { EXIT_CODES, printable, rooms } from '../app/index.ts';

const { exitCodeOf, withHint } = await rooms.errors();
const { messageOf, stackOf } = await rooms.nouns();

/** Reports an uncaught error on standard error and returns the exit code of a defect. */
export function reportUncaught(thrown: unknown): number {
  const what = `an error of a strategy or a library that nobody caught: ${messageOf(thrown)}`;
  const error = new Error(what, { cause: thrown });
  const stack = stackOf(thrown);
  if (stack !== undefined) error.stack = stack;
  return reportFailure(error);
}

/** Reports on standard error why a command failed and returns its exit code. */
export function reportFailure(thrown: unknown): number {
  const code = exitCodeOf(thrown);
  const message = messageOf(thrown);
  // The hint is to start an exchange: no help at other addresses, such as that of alerts.
  const told = code === EXIT_CODES.exchange ? withHint(message) : message;
  // The message may quote an answer of an exchange.
  const lines = told.split('\n').map(printable);
  process.stderr.write(`tradewind: ${lines.join('\n')}\n`);
  // The stack helps to mend a defect; under a foreseen error it would only hide the message.
  if (code === 1 && thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`);
  return code;
}
