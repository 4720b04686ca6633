import { describe, expect, it } from 'vitest';
import { checkLookahead } from '../../../src/app/backtest/checks/lookahead.ts';
import { type CandleSource, runBacktest } from '../../../src/app/backtest/index.ts';
import {
  LIMITS,
  MINUTE,
  type Minute,
  replayed,
  START_MS,
  scriptedDeployment,
  sourceOf,
} from './fixture.ts';

/**
 * A strategy that waits, when a minute of its first market has closed, for the next book of one, and
 * buys of another as much as that book has at its best ask.
 */
const WAITER = `import { defineStrategy, filter, first, map, switchMap, target, z } from '#strategy';
export default defineStrategy({
  name: 'waiter',
  params: z.strictObject({ at: z.number(), hears: z.string(), buys: z.string() }),
  run({ markets, params: { at, hears, buys }, candles, depth }) {
    const bought = markets.find(({ id }) => id === buys);
    return candles('1min').pipe(
      filter(({ openTime }) => (openTime - ${START_MS}) / ${MINUTE} === at),
      switchMap(() => depth(hears).pipe(first())),
      map(({ asks }) => target(bought, asks[0][1], { slippage: 0 })),
    );
  },
});
`;
const MARKETS = ['btc_usdt', 'eth_usdt'] as const;
type Id = (typeof MARKETS)[number];

interface Options {
  readonly markets?: readonly Id[];
  readonly at?: 'nextOpen' | 'heardOpen';
  readonly hears?: Id;
  readonly buys?: Id;
  /** Of both markets, or of each. */
  readonly minutes: readonly Minute[] | Readonly<Record<Id, readonly Minute[]>>;
  readonly chunkRows?: number;
  readonly feedMs?: number;
  readonly backtest?: object;
}

function deploymentOf(options: Options) {
  const { at = 'heardOpen', hears = 'btc_usdt', buys = 'btc_usdt', feedMs = 0, backtest } = options;
  const { markets = MARKETS } = options;
  const params = { at: 1, hears, buys };
  return scriptedDeployment({
    ...{ script: {}, text: WAITER },
    settings: { markets, strategies: [{ use: './scripted.ts', name: 'waiter', params }] },
    backtest: {
      ...{ latency: { feed: feedMs }, fill: { model: 'candles', at, volumeCap: null } },
      ...backtest,
    },
  });
}

function sourcesOf({ markets = MARKETS, minutes, chunkRows }: Options): CandleSource[] {
  return markets.map((id) => {
    const own = 'length' in minutes ? (minutes as readonly Minute[]) : minutes[id];
    return sourceOf(id, own, chunkRows);
  });
}

/** What was traded: market, side, amount, price and minute. */
async function tradesOf(options: Options) {
  const deployment = deploymentOf(options);
  const { record } = await runBacktest({ deployment, sources: sourcesOf(options) });
  return Array.from(record.fills, ({ market, side, amount, price, time }) => {
    return [market, side, amount, price, (time - START_MS) / MINUTE];
  });
}

/** The open of minute 2 is far from the close before it, and comes late. */
const JUMP: readonly Minute[] = [
  { close: 100 },
  { close: 101, volume: 7 },
  { close: 125, open: 120, volume: 9, at: 30 },
  { close: 126, open: 125, at: 31 },
];

describe('an open that is heard', () => {
  it.each([1, 2, 1_000])('is what its news trades at, in chunks of %d', async (chunkRows) => {
    // As much as the book has: the volume of the minute before, for that of its own is to come.
    const bought = ['btc_usdt', 'buy', 7, 120, 30];
    expect(await tradesOf({ minutes: JUMP, chunkRows })).toEqual([bought]);
  });

  it('comes in place of the close: where opens are not told the book is that of the close', async () => {
    const calm = [...JUMP.slice(0, 2), { close: 101, open: 101, at: 30 }];
    const told = await tradesOf({ minutes: calm, at: 'nextOpen' });
    expect(told).toEqual([['btc_usdt', 'buy', 7, 101, 30]]);
    // Its limit is the close, which the next open leaps over: it is tried again at the one behind.
    const late = await tradesOf({ minutes: JUMP, at: 'nextOpen' });
    expect(late).toEqual([['btc_usdt', 'buy', 7, 125, 31]]);
  });

  it('is heard as late as candles are, and still trades at its price', async () => {
    const trades = await tradesOf({ minutes: JUMP, feedMs: 15_000 });
    expect(trades).toEqual([['btc_usdt', 'buy', 7, 120, 30.25]]);
  });

  it.each([0, 15_000])('is heard of one market alone as of several, %d ms late', async (feedMs) => {
    const trades = await tradesOf({ markets: ['btc_usdt'], minutes: JUMP, feedMs });
    expect(trades).toEqual([['btc_usdt', 'buy', 7, 120, 30 + feedMs / MINUTE]]);
  });

  it('trades in all markets that open then', async () => {
    const trades = await tradesOf({ minutes: JUMP, hears: 'btc_usdt', buys: 'eth_usdt' });
    expect(trades).toEqual([['eth_usdt', 'buy', 7, 120, 30]]);
  });

  it('trades in a market that opens later at its own open alone', async () => {
    const later = JUMP.map((minute, at) => (at === 2 ? { ...minute, open: 101, at: 31 } : minute));
    const minutes = { btc_usdt: JUMP, eth_usdt: later.slice(0, 3) };
    const trades = await tradesOf({ minutes, hears: 'btc_usdt', buys: 'eth_usdt' });
    expect(trades).toEqual([['eth_usdt', 'buy', 7, 101, 31]]);
  });

  it('is heard of the last candle too, where all is sold at its open', async () => {
    const minutes = JUMP.slice(0, 3);
    expect(await tradesOf({ minutes, backtest: { closeAtEnd: 'open' } })).toEqual([
      ['btc_usdt', 'buy', 7, 120, 30],
      ['btc_usdt', 'sell', 7, 120, 30],
    ]);
  });

  it('has what was refused at the close asked for again', async () => {
    const minutes = [{ close: 101 }, { close: 105, open: 99, at: 30 }];
    const { trades } = await replayed({
      ...{ minutes, script: { 0: 2 }, backtest: { fill: { model: 'candles', at: 'heardOpen' } } },
      settings: { risk: { ...LIMITS, markets: { btc_usdt: { priceMax: 100 } } } },
    });
    expect(trades).toEqual([['buy', 2, 99, 30]]);
  });

  it('is refused where look-ahead is looked for', async () => {
    const options = { minutes: JUMP };
    const deployment = deploymentOf(options);
    await expect(checkLookahead({ deployment, sources: sourcesOf(options) })).rejects.toThrow(
      /deployment\.yaml:\d+:\d+: Cannot look for look-ahead: opens are heard, nextOpen is wanted/,
    );
  });
});
