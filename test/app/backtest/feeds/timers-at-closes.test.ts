import { describe, expect, it } from 'vitest';
import { replayed, START_MS } from '../fixture.ts';

/** Wishes by the seconds since the start at which timers make them, in place of the closes of minutes. */
const TIMED = `import { defineStrategy, cancel, map, merge, NEVER, order, target, timer, z } from '#strategy';
export default defineStrategy({
  name: 'timed',
  params: z.strictObject({ wishes: z.record(z.string(), z.any()) }),
  run: ({ market, clock, params: { wishes } }) =>
    merge(NEVER, ...Object.entries(wishes).map(([second, wish]) =>
      timer(${START_MS} + second * 1_000 - clock.now(), clock).pipe(
        map(() => typeof wish === 'number' ? target(market, wish, { slippage: 0.5 })
          : wish === 'cancel' ? cancel(market, 'rest')
          : order(market, { tag: 'rest', ...wish })),
      ),
    )),
});
`;
/** Each minute is ten above the one before. */
const MINUTES = [100, 110, 120, 130, 140].map((close) => ({ open: close - 5, close }));

function timed(wishes: object, backtest: object = {}) {
  return replayed({ minutes: MINUTES, script: wishes as never, text: TIMED, backtest });
}

describe('CandleFeed with timers at the moment of a close', () => {
  it('trades at that close, not at the one before', async () => {
    const { trades } = await timed({ 120: 1, 240: 0 });
    expect(trades).toEqual([
      ['buy', 1, 110, 2],
      ['sell', 1, 130, 4],
    ]);
  });

  it('trades between two closes at the first of them', async () => {
    const { trades } = await timed({ 119: 1, 239: 0 });
    expect(trades.map(([side, , price]) => [side, price])).toEqual([
      ['buy', 100],
      ['sell', 120],
    ]);
  });

  it.each(['thisClose', 'nextOpen'])(
    'lets an order meet the whole last candle of its time (%s)',
    async (at) => {
      const ask = { side: 'sell', price: 118, amount: 1 };
      const fill = { model: 'candles', volumeCap: null, at };
      const { trades } = await timed({ 119: ask, 180: 'cancel' }, { fill });
      expect(trades).toEqual([['sell', 1, 118, 3]]);
    },
  );

  it('meets with nextOpen the open of that moment', async () => {
    const { trades } = await timed({ 120: 1 }, { fill: { model: 'candles', at: 'nextOpen' } });
    expect(trades).toEqual([['buy', 1, 115, 2]]);
  });

  it.each(['1min', '1hour'])(
    'meets that open though the close is not heard of yet, with samples each %s',
    async (equityEvery) => {
      const fill = { model: 'candles', at: 'nextOpen' };
      const { trades } = await timed({ 120: 1 }, { fill, latency: { feed: 500 }, equityEvery });
      expect(trades).toEqual([['buy', 1, 115, 2]]);
    },
  );
});
