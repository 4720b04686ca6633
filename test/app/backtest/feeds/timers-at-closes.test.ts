import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../../src/app/backtest/index.ts';
import { MINUTE, replayed, START_MS, scriptedDeployment, sourceOf } from '../fixture.ts';

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

  it('trades what is under way until a later close at that one, as it confesses', async () => {
    const { trades, record } = await timed({ 60: 1 }, { latency: { order: MINUTE } });
    expect(trades).toEqual([['buy', 1, 110, 2]]);
    expect(record.fillModel?.confession[0]).toContain('of a later close trades at that close');
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

  it.each([
    { latency: {}, equityEvery: '1min' },
    { latency: { feed: 700 }, equityEvery: '1min' },
    { latency: { feed: 700 }, equityEvery: '1hour' },
  ])('meets with nextOpen the open of that moment: %j', async (others) => {
    const fill = { model: 'candles', at: 'nextOpen' };
    const { trades } = await timed({ 120: 1 }, { fill, ...others });
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

/** Buys in its last market, a turn of the clock after the close of a minute was heard there. */
const TURNED = `import { defineStrategy, delay, filter, map, target, z } from '#strategy';
export default defineStrategy({
  name: 'turned',
  params: z.strictObject({ wishes: z.array(z.number()) }),
  run: ({ markets, clock, candles, params: { wishes } }) =>
    candles('1min', markets.at(-1)).pipe(
      filter(({ openTime }) => wishes.includes((openTime - ${START_MS}) / ${MINUTE})),
      delay(0, clock),
      map(() => target(markets.at(-1), 1, { slippage: 0.5 })),
    ),
});
`;

/** Where and when that buys: price and minute. */
async function boughtAt(minute: number, { at, markets }: { at: string; markets: string[] }) {
  const deployment = scriptedDeployment({
    ...{ script: [minute] as never, text: TURNED, settings: { markets } },
    backtest: { fill: { model: 'candles', volumeCap: null, at }, equityEvery: '1hour' },
  });
  const sources = markets.map((id) => sourceOf(id, MINUTES));
  const { record } = await runBacktest({ deployment, sources });
  return Array.from(record.fills, ({ price, time }) => [price, (time - START_MS) / MINUTE]);
}

/** Wants one at the close of the first minute, and nothing a turn of the clock after the second. */
const REGRETTING = `import { defineStrategy, delay, map, mergeMap, of, target, z } from '#strategy';
export default defineStrategy({
  name: 'regretting',
  params: z.strictObject({ wishes: z.any() }),
  run: ({ market, clock, candles }) =>
    candles('1min').pipe(
      mergeMap(({ openTime }) =>
        openTime === ${START_MS} ? of(1) : of(0).pipe(delay(0, clock))),
      map((position) => target(market, position)),
    ),
});
`;

describe('CandleFeed with what a close sets off a turn of the clock later', () => {
  it('tries again what the candle before left unfilled only if that is still wished', async () => {
    const { trades } = await replayed({
      ...{ minutes: MINUTES.map((minute) => ({ ...minute, volume: 4 })), script: {} },
      ...{ text: REGRETTING, backtest: { fill: { model: 'candles', volumeCap: 0.1 } } },
    });
    expect(trades).toEqual([
      ['buy', 0.4, 100, 1],
      ['sell', 0.4, 110, 2],
    ]);
  });

  it.each([{ markets: ['btc_usdt'] }, { markets: ['btc_usdt', 'eth_usdt'] }])(
    'lets it meet the open of that moment, however often the account is valued: $markets',
    async ({ markets }) => {
      expect(await boughtAt(1, { at: 'nextOpen', markets })).toEqual([[115, 2]]);
    },
  );

  it.each([{ markets: ['btc_usdt'] }, { markets: ['btc_usdt', 'eth_usdt'] }])(
    'lets it meet the last close of all: $markets',
    async ({ markets }) => {
      expect(await boughtAt(4, { at: 'thisClose', markets })).toEqual([[140, 5]]);
    },
  );
});
