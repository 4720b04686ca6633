import { printableJson, rooms } from '../../app/index.ts';
import { type CommandContext, type CommonFlags, type Findings, print } from './context.ts';

const { isUnknown } = await rooms.terminal();

/** Something that a command sends once. */
export interface Sending {
  readonly flags: CommonFlags;
  /** What is sent, as JSON, with the outcome so far. */
  readonly json: (outcome: 'sending' | 'unknown') => object;
  /** Sends it and tells what came of it. */
  readonly send: () => Promise<Findings>;
}

/**
 * Sends something once. With --json, what is sent is written to standard error before the request
 * leaves, and to standard output if the outcome is unknown, so that a program can look it up, even
 * after a kill. A person has already been shown it.
 */
export async function sendOnce(
  context: CommandContext,
  { flags, json, send }: Sending,
): Promise<Findings> {
  if (flags.json === true)
    context.writeAside(`${printableJson(JSON.stringify(json('sending')))}\n`);
  try {
    return await send();
  } catch (thrown) {
    if (flags.json === true && isUnknown(thrown)) {
      print(context, flags, { json: json('unknown'), lines: [] });
    }
    throw thrown;
  }
}
