import { describe, expect, it } from 'vitest';
import { paramsProblems, strangersIn } from '../../../src/app/strategies/strategy-problems.ts';
import { unopenedMarkets } from '../../../src/app/venue/unopened-markets.ts';
import { deploymentSettings } from '../fixture.ts';

/** Settings as a file has them that nobody has checked yet. */
function unchecked(value: unknown) {
  return { file: 'a.yaml', value, locate: () => 'a.yaml:1:1' };
}

/** What may stand anywhere in a file. */
const VALUES = [null, 7, true, '', 'x', [], [null], [7], {}, { a: null }, 'toString'];

/** The settings with one thing in the place of any part of them, each. */
function* changed(part: unknown): Generator<unknown> {
  yield* VALUES;
  if (typeof part !== 'object' || part === null) return;
  for (const [key, own] of Object.entries(part)) {
    for (const other of changed(own)) {
      yield Array.isArray(part) ? part.with(Number(key), other) : { ...part, [key]: other };
    }
  }
}

describe('strangersIn', () => {
  it('names the markets of the deployment beside what is no text among them', () => {
    const strategies = [{ use: 'grid', markets: ['eth_usdt'] }];
    const markets = ['btc_usdt', null, 7];
    expect(strangersIn(unchecked({ strategies, markets }))).toEqual([
      'a.yaml:1:1: Cannot use market "eth_usdt": the deployment has btc_usdt',
    ]);
  });

  it('finds words for whatever stands in a file, as all that look ahead of its schema do', () => {
    const strategies = [{ use: 'grid', markets: ['btc_usdt', 'eth_btc'], params: { amount: 0 } }];
    const recordings = [{ dataset: 'a.eth_usdt.trades' }, { market: 'eth_usdt', file: 'a' }];
    const { venue } = deploymentSettings() as { readonly venue: object };
    const all = { strategies, venue: { ...venue, recordings }, markets: ['eth_btc'] };
    let count = 0;
    for (const value of changed(all)) {
      const yaml = unchecked(value ?? {});
      const lines = [...strangersIn(yaml), ...paramsProblems(yaml), ...unopenedMarkets(yaml)];
      for (const line of lines) expect(line).toMatch(/^a\.yaml:1:1: Cannot .+/);
      count += lines.length;
    }
    expect(count).toBeGreaterThan(1_000);
  });
});
