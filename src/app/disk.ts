import { diskTrouble, fullText } from '../history/index.ts';
import { messageOf } from '../kernel/index.ts';

/** What a disk failed with, for people: what is, and what is wanted where that is known. */
export function wordsOfDisk(thrown: unknown): string {
  return fullText(thrown) ?? diskTrouble(thrown) ?? messageOf(thrown);
}
