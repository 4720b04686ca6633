import { diskTrouble, fullText } from '../history/index.ts';
import { messageOf } from '../kernel/index.ts';

/** A failure of a disk in words: what is and, if known, what is wanted. */
export function wordsOfDisk(thrown: unknown): string {
  return fullText(thrown) ?? diskTrouble(thrown) ?? messageOf(thrown);
}
