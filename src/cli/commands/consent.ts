import { rooms } from '../../app/index.ts';
import type { Prompts } from '../prompts.ts';
import type { CommandContext } from './context.ts';

const { AppError } = await rooms.errors();

/** Makes the error for an action that no person has consented to; `why` is the reason. */
type Decline = (why: string) => Error;

/** `action`: what is not done, such as `withdraw`; `effect`: such as `nothing was sent`. */
export function declining(action: string, effect: string): Decline {
  return (why) => new AppError('declined', `Cannot ${action}: ${why}; ${effect}`);
}

/** A person to ask. @throws what `decline` makes without a terminal; `doubt` comes first. */
export function personAt({ prompts }: CommandContext, decline: Decline, doubt = ''): Prompts {
  const person = prompts();
  if (person !== undefined) return person;
  throw decline(`${doubt}there is no terminal to ask at, one or --yes is wanted`);
}

/** Asks for a yes. @throws what `decline` makes at any other answer. */
export async function requireYes(
  person: Prompts,
  { question, decline }: { readonly question: string; readonly decline: Decline },
): Promise<void> {
  const word = await person.ask(question);
  if (word?.trim().toLowerCase() !== 'yes') throw decline('the answer was not yes');
}
