import { describe, expect, test } from 'vitest';
import type { Depth, Trade } from '../../src/domain/index.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS, seededRandom } from '../../src/kernel/index.ts';
import { type SyntheticParameters, startSyntheticMarket } from '../../src/sim/index.ts';
import { poisson } from '../../src/sim/taker-flow.ts';
import { answerOf, exchangeFixture, MARKET, syntheticFixture } from './fixture.ts';

const market = MARKET.id;

function startedMarket(seed: string, overrides: Partial<SyntheticParameters> = {}) {
  const fixture = exchangeFixture();
  const { exchange, liquidity, clock } = fixture;
  const trades: Trade[] = [];
  exchange.marketFeed.trades(market).subscribe((batch) => trades.push(...batch));
  const subscription = startSyntheticMarket({
    liquidity,
    clock,
    random: seededRandom(seed),
    parameters: syntheticFixture(overrides),
    seedHistory: (minutes) => exchange.seedHistory(market, minutes),
  });
  return { ...fixture, trades, subscription };
}

/** The depth of every second of an hour. */
function hourOf({ clock, exchange }: ReturnType<typeof startedMarket>): Depth[] {
  return Array.from({ length: HOUR_MS / SECOND_MS }, () => {
    clock.advanceBy(SECOND_MS);
    return answerOf(exchange.market.depth({ market }));
  });
}

function autocorrelation(values: readonly number[], lag: number): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const around = values.map((value) => value - mean);
  const variance = around.reduce((sum, value) => sum + value * value, 0);
  const shared = around.slice(lag).reduce((sum, value, i) => sum + value * around[i]!, 0);
  return shared / variance;
}

describe('startSyntheticMarket: coins that are worth next to nothing', () => {
  // As much as the settings take: ten times that is as much as an amount can say.
  const MOST = 2.2e10;

  test('makers have no more of them rest than an amount can say', () => {
    const { clock, exchange } = startedMarket('worth', { startPrice: 1, levelValue: MOST });
    clock.advanceBy(10 * MINUTE_MS);
    const { bids, asks } = answerOf(exchange.market.depth({ market }));
    expect(Math.max(...[...bids, ...asks].map(([, amount]) => amount))).toBeGreaterThan(MOST);
  });

  test('minutes of the past have no more of them traded', () => {
    const wild = { startPrice: 1, tradeValue: MOST, tradesPerMinute: 1, volatilityOfVolatility: 3 };
    const { exchange } = startedMarket('worth', wild);
    const candles = answerOf(exchange.market.candles({ market, interval: '1min' }));
    expect(Math.max(...candles.map(({ volume }) => volume))).toBeCloseTo(2 ** 51 / 1e4, 1);
  });
});

describe('startSyntheticMarket: a market out of all bounds', () => {
  test('goes on where its price is more than a price can say', () => {
    const wild = { startPrice: 1e6, spread: 1, tradesPerMinute: 600 };
    const { clock, exchange } = startedMarket('bounds', wild);
    clock.advanceBy(HOUR_MS);
    expect(answerOf(exchange.market.ticker(market)).high).toBeGreaterThan(1e10);
  });
});

describe('startSyntheticMarket: facts of a virtual hour', () => {
  const started = startedMarket('facts');
  const depths = hourOf(started);
  const mids = depths.map(({ bids, asks }) => (bids[0]![0] + asks[0]![0]) / 2);

  test('both sides have depth and the book is never crossed', () => {
    expect(
      Math.min(...depths.map(({ bids, asks }) => Math.min(bids.length, asks.length))),
    ).toBeGreaterThan(10);
    expect(depths.every(({ bids, asks }) => bids[0]![0] < asks[0]![0])).toBe(true);
  });

  test('the median spread is a few basis points', () => {
    const spreads = depths.map(({ bids, asks }) => asks[0]![0] / bids[0]![0] - 1);
    const median = spreads.sort((a, b) => a - b)[spreads.length / 2]!;
    expect(median).toBeGreaterThan(0.000_05);
    expect(median).toBeLessThan(0.000_6);
  });

  test('there are trades, of both sides, of very different sizes', () => {
    expect(started.trades.length).toBeGreaterThan(20 * 60);
    const buys = started.trades.filter(({ side }) => side === 'buy').length;
    expect(buys / started.trades.length).toBeGreaterThan(0.25);
    expect(buys / started.trades.length).toBeLessThan(0.75);
    const amounts = started.trades.map(({ amount }) => amount).sort((a, b) => a - b);
    expect(amounts.at(-1)! / amounts[amounts.length >> 1]!).toBeGreaterThan(10);
  });

  test('absolute returns are autocorrelated, returns hardly', () => {
    const returns = mids
      .filter((_, i) => i % 10 === 0)
      .map((mid, i, all) => Math.log(mid / (all[i - 1] ?? mid)));
    const sizes = returns.map(Math.abs);
    const mean = [1, 2, 3, 4, 5].reduce((sum, lag) => sum + autocorrelation(sizes, lag), 0) / 5;
    expect(mean).toBeGreaterThan(0.08);
    expect(Math.abs(autocorrelation(returns, 1))).toBeLessThan(0.25);
  });

  test('the direction of trades persists', () => {
    const signs = started.trades.map(({ side }) => (side === 'buy' ? 1 : -1));
    expect(autocorrelation(signs, 1)).toBeGreaterThan(0.1);
  });

  test('it begins at the start price with hours of candles behind it', () => {
    const candles = answerOf(started.exchange.market.candles({ market, interval: '1min' }));
    expect(candles.length).toBeGreaterThan(8 * 60);
    const gaps = candles
      .slice(1)
      .filter((c, i) => c.openTime - candles[i]!.openTime > 2 * MINUTE_MS);
    expect(gaps).toEqual([]);
    const before = candles.findLast(
      ({ openTime }) => openTime < started.trades[0]!.exchangeTime - MINUTE_MS,
    )!;
    expect(Math.abs(before.close / 30_000 - 1)).toBeLessThan(0.001);
    expect(Math.abs(mids[0]! / 30_000 - 1)).toBeLessThan(0.001);
  });
});

describe('startSyntheticMarket', () => {
  test('makes the same tape of the same seed and another of another', () => {
    const tape = (seed: string) => {
      const { clock, trades } = startedMarket(seed);
      clock.advanceBy(5 * MINUTE_MS);
      return trades;
    };
    const once = tape('one');
    expect(once.length).toBeGreaterThan(20);
    expect(tape('one')).toEqual(once);
    expect(tape('two')).not.toEqual(once);
  });

  test('stops when unsubscribed', () => {
    const { clock, trades, subscription } = startedMarket('stop');
    clock.advanceBy(MINUTE_MS);
    const count = trades.length;
    subscription.unsubscribe();
    clock.advanceBy(HOUR_MS);
    expect(trades.length).toBe(count);
    expect(clock.nextDueMs).toBeUndefined();
  });

  test('holds on markets with coarse prices and whole amounts', () => {
    const coarse = { ...MARKET, priceScale: 0, amountScale: 0, minAmount: 1, minSize: 0 };
    const { clock, liquidity, exchange } = exchangeFixture({ markets: [coarse] });
    startSyntheticMarket({
      liquidity,
      clock,
      random: seededRandom('coarse'),
      parameters: syntheticFixture({ startPrice: 40, levelValue: 4_000 }),
    });
    for (let second = 0; second < 600; second++) {
      clock.advanceBy(SECOND_MS);
      const { bids, asks } = answerOf(exchange.market.depth({ market }));
      expect(bids[0]![0]).toBeLessThan(asks[0]![0]);
    }
  });

  test('trades with the orders of accounts', () => {
    const { clock, alice, exchange } = startedMarket('accounts');
    clock.advanceBy(SECOND_MS);
    const { bids } = answerOf(exchange.market.depth({ market }));
    const order = { market, side: 'buy', type: 'limit', price: bids[0]![0], amount: 0.01 } as const;
    const { exchangeOrderId } = answerOf(alice.trading.place(order as never));
    clock.advanceBy(HOUR_MS);
    const { filledAmount } = answerOf(alice.trading.order({ market, exchangeOrderId }));
    expect(filledAmount).toBe(0.01);
    expect(exchange.totalOf('usdt').toString()).toBe('2000000');
  });
});

test.each([0, 0.3, 4, 80])('poisson has mean and variance %d', (mean) => {
  const random = seededRandom('poisson');
  const draws = Array.from({ length: 20_000 }, () => poisson(random, mean));
  const average = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - average) ** 2, 0) / draws.length;
  const tolerance = 0.05 * mean + 1e-9;
  expect(Math.abs(average - mean)).toBeLessThan(tolerance);
  expect(Math.abs(variance - mean)).toBeLessThan(tolerance + 0.02 * mean);
});
