import { didYouMean } from '../config/suggest.ts';
import { AppError } from '../errors.ts';
import type { OpenJournal } from './books.ts';

/** The names to look for; those left out are not checked. */
export interface AskedNames {
  readonly strategy?: string | undefined;
  readonly market?: string | undefined;
}

/**
 * Refuses a strategy or a market that has never run or traded in a journal.
 *
 * @throws {AppError} `usage`, with the names of those that have.
 */
export function requireNames(journal: OpenJournal, { strategy, market }: AskedNames): void {
  if (strategy === undefined && market === undefined) return;
  const known = knownNames(journal);
  const { path } = journal;
  if (strategy !== undefined)
    requireOne(strategy, { path, what: 'strategy', names: known.strategies });
  if (market !== undefined) requireOne(market, { path, what: 'market', names: known.markets });
}

function knownNames({ reader, runs }: OpenJournal) {
  const strategies = new Set<string>();
  const markets = new Set<string>();
  for (const { id: run } of runs) {
    for (const { id } of reader.basis(run)?.markets ?? []) markets.add(id);
    for (const { event } of reader.events({ run, kinds: ['strategy', 'fill'] })) {
      if (event.kind === 'strategy') strategies.add(event.strategy);
      if (event.kind !== 'fill') continue;
      strategies.add(event.fill.strategy);
      markets.add(event.market);
    }
  }
  return { strategies, markets };
}

interface Known {
  readonly path: string;
  readonly what: 'strategy' | 'market';
  readonly names: ReadonlySet<string>;
}

function requireOne(name: string, { path, what, names: known }: Known): void {
  if (known.has(name)) return;
  const names = [...known].sort();
  const has = names.length === 0 ? `it knows no ${what}` : `it knows ${names.join(', ')}`;
  const one = names.length === 1 ? 'that name' : 'one of these';
  const wanted = didYouMean(name, names) || `, ${one} is wanted`;
  throw new AppError('usage', `Cannot look for "${name}" in ${path}: ${has}${wanted}`);
}
