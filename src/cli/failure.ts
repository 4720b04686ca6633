import { exitCodeOf, messageOf } from '../app/index.ts';

/** Tells standard error why a command failed and gives its exit code. */
export function reportFailure(thrown: unknown): number {
  const code = exitCodeOf(thrown);
  process.stderr.write(`tradewind: ${messageOf(thrown)}\n`);
  // A defect's stack helps whoever mends it; a foreseen error's would only hide the message.
  if (code === 1 && thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`);
  return code;
}
