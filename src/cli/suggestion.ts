import { rooms } from '../app/index.ts';

/** What the library says of a word that is none of several; of options it suggests the nearest. */
const NO_CHOICE = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/m;

/** A line with the word that was likely meant; nothing where the error is another one. */
export async function suggestion(error: string): Promise<string> {
  const [, word, choices] = NO_CHOICE.exec(error) ?? [];
  if (word === undefined || choices === undefined) return '';
  const { nearest } = await rooms.nouns();
  const likely = nearest(word, choices.split(', '));
  return likely === undefined ? '' : `(Did you mean ${likely}?)\n`;
}
