import { describe, expect, it } from 'vitest';
import { MINUTE, replayed, START_MS } from './fixture.ts';

/** Buys far too much, and half as much on each refusal. */
const HALVING = `import { concatMap, defineStrategy, filter, map, merge, order, scan, take, z } from '#strategy';
export default defineStrategy({
  name: 'halving',
  params: z.any(),
  run({ market, candles, refusals }) {
    const buy = (amount) => order(market, { tag: 'in', side: 'buy', price: 100, amount });
    const first = candles('1min').pipe(take(1), map(() => buy(400)));
    const next = refusals().pipe(
      filter(({ tag }) => tag === 'in'),
      scan((amount) => amount / 2, 400),
      map(buy),
    );
    return merge(first, next);
  },
});
`;

describe('a backtest', () => {
  it('tells a strategy of refusals: at once, and then once a second', async () => {
    const minutes = Array.from({ length: 5 }, () => ({ close: 100 }));
    const { trades, events } = await replayed({ minutes, script: {}, text: HALVING });
    const wishes = events.flatMap((event) =>
      event.kind === 'intent' && event.intent.kind === 'order'
        ? [[event.intent.amount, event.time - START_MS - MINUTE]]
        : [],
    );
    expect(wishes).toEqual([
      [400, 0],
      [200, 0],
      [100, 1_000],
    ]);
    expect(trades.map(([side, amount]) => [side, amount])).toEqual([['buy', 100]]);
  });
});
