import { rooms } from '../app/index.ts';

/** Commander's error for a wrong choice; for wrong options it suggests the nearest itself. */
const NO_CHOICE = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/m;

/** A line that suggests the choice that was likely meant; empty for any other error. */
export async function suggestion(error: string): Promise<string> {
  const [, word, choices] = NO_CHOICE.exec(error) ?? [];
  if (word === undefined || choices === undefined) return '';
  const { nearest } = await rooms.nouns();
  const likely = nearest(word, choices.split(', '));
  return likely === undefined ? '' : `(Did you mean ${likely}?)\n`;
}
