import { diskTrouble, isDiskFull } from '../history/index.ts';
import { messageOf } from '../kernel/index.ts';

/** What a disk failed with, for people: what is, and what is wanted where that is known. */
export function wordsOfDisk(thrown: unknown): string {
  if (isDiskFull(thrown)) return 'the disk is full, more room is wanted';
  return diskTrouble(thrown) ?? messageOf(thrown);
}
