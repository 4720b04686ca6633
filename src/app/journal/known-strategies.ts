import { didYouMean } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import type { OpenJournal } from './books.ts';

/**
 * Refuses a strategy that has never run or traded in a journal.
 *
 * @throws {AppError} `usage`, with the names of those that have.
 */
export function requireStrategy({ path, reader, runs }: OpenJournal, name: string): void {
  const known = new Set<string>();
  for (const { id: run } of runs) {
    for (const { event } of reader.events({ run, kinds: ['strategy', 'fill'] })) {
      if (event.kind === 'strategy') known.add(event.strategy);
      if (event.kind === 'fill') known.add(event.fill.strategy);
    }
  }
  if (known.has(name)) return;
  const names = [...known].sort();
  const has = names.length === 0 ? 'it knows no strategy' : `it knows ${names.join(', ')}`;
  const wanted = didYouMean(name, names) || ', one that it knows is wanted';
  throw new AppError('usage', `Cannot show trades of "${name}" in ${path}: ${has}${wanted}`);
}
