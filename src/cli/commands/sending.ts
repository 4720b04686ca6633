import { printableJson, rooms } from '../../app/index.ts';
import { type CommandContext, type CommonFlags, type Findings, print } from './context.ts';

const { isUnknown } = await rooms.terminal();

/** Something that a command sends once. */
export interface Sending {
  readonly flags: CommonFlags;
  /** What is sent, as JSON, with how far it got. */
  readonly json: (outcome: 'sending' | 'unknown') => object;
  /** Sends it and tells what came of it. */
  readonly send: () => Promise<Findings>;
}

/**
 * Sends something once. A program reads what it is in a line beside the answer, ahead of the request,
 * and again where nobody knows what came of it: so it can look that up, even after a kill. A person
 * has been shown it.
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
