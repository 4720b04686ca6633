import { describe, expect, it } from 'vitest';
import { runDeployment } from '../../../src/app/run-deployment.ts';
import { type DayNewsOptions, followDays } from '../../../src/app/status/day-news.ts';
import { DAY_MS, Decimal, HOUR_MS, MINUTE_MS, VirtualClock } from '../../../src/kernel/index.ts';
import { flatPosition } from '../../../src/ledger/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { deploymentFile, keptLog, LIVELY_MARKET, virtualRun } from '../fixture.ts';

type Standing = ReturnType<DayNewsOptions['read']>;

interface MarketSketch {
  readonly id?: string;
  readonly held?: string;
  /** Of the run so far; null: a price is missing. */
  readonly profit?: string | null;
  readonly fees?: string;
}

function standingOf(orders: number, fills: number, markets: readonly MarketSketch[]): Standing {
  return {
    tally: { orders, fills } as Standing['tally'],
    markets: markets.map(({ id = 'btc_usdt', held = '0', profit = '0', fees = '0' }) => {
      const [base, quote] = id.split('_') as [string, string];
      return {
        market: { ...makeMarket(), id, base, quote, priceScale: 2 },
        position: { ...flatPosition(id), amount: Decimal.of(held) },
        runProfit: profit === null ? undefined : Decimal.of(profit),
        runFees: Decimal.of(fees),
      } as Standing['markets'][number];
    }),
  };
}

/** A run that starts on the last of January at 14:03, and what is told of its days. */
function followed(first: Standing = standingOf(0, 0, [{}])) {
  const clock = new VirtualClock(Date.UTC(2024, 0, 31, 14, 3));
  const run = { standing: first };
  const told: string[] = [];
  const details: object[] = [];
  const subscription = followDays({
    clock,
    read: () => run.standing,
    tell: (text, fields) => {
      told.push(text);
      details.push(fields);
    },
  });
  return { clock, run, told, details, subscription };
}

describe('followDays', () => {
  it('tells at midnight UTC what the run did since it started, then what it did in each day', () => {
    const { clock, run, told, details } = followed();
    run.standing = standingOf(12, 3, [{ held: '0.5', profit: '4.5', fees: '0.25' }]);
    clock.advanceBy(10 * HOUR_MS - 3 * MINUTE_MS - 60_000);
    expect(told).toEqual([]);
    clock.advanceBy(MINUTE_MS);
    run.standing = standingOf(13, 4, [{ held: '0', profit: '-1', fees: '1.5' }]);
    clock.advanceBy(DAY_MS);
    expect(told).toEqual([
      '2024-01-31 since 14:03:00 UTC: 3 fills of 12 orders, net +4.50 usdt after fees of 0.25; ' +
        'holds 0.5 btc (btc_usdt)',
      '2024-02-01: 1 fill of 1 order, net -5.50 usdt after fees of 1.25; holds nothing',
    ]);
    expect(JSON.parse(JSON.stringify(details[1]))).toEqual({
      ...{ day: '2024-02-01', orders: 1, fills: 1, positions: {} },
      money: { usdt: { net: '-5.5', fees: '1.25' } },
    });
  });

  it('adds up markets of a currency, and tells currencies apart', () => {
    const { clock, run, told } = followed();
    run.standing = standingOf(2, 2, [
      { profit: '2', fees: '0.5' },
      { id: 'eth_usdt', profit: '-3', fees: '0.5' },
      { id: 'eth_btc', held: '-2', profit: '0.01', fees: '0.001' },
    ]);
    clock.advanceBy(DAY_MS);
    expect(told[0]).toMatch(
      /net -1\.00 usdt after fees of 1\.00, net \+0\.01 btc after fees of 0\.00; holds -2 eth \(eth_btc\)$/,
    );
  });

  it('says that it does not know where a price is missing, of what is held then alone', () => {
    const flat = standingOf(0, 0, [{ id: 'eth_usdt', profit: null }]);
    const { clock, run, told } = followed(flat);
    clock.advanceBy(DAY_MS);
    run.standing = standingOf(1, 1, [{ id: 'eth_usdt', held: '1', profit: null }]);
    clock.advanceBy(DAY_MS);
    // Sold on one day, bought and sold on the next: neither day's first price is known.
    run.standing = standingOf(2, 2, [{ id: 'eth_usdt', profit: null }]);
    clock.advanceBy(DAY_MS);
    run.standing = standingOf(4, 4, [{ id: 'eth_usdt', profit: null, fees: '1' }]);
    clock.advanceBy(2 * DAY_MS);
    const nets = told.map((text) => /net (\S+)/.exec(text)?.[1]);
    expect(nets).toEqual(['0.00', 'unknown', 'unknown', 'unknown', '0.00']);
  });
});

describe('followDays, where the date is set', () => {
  it('goes by the date: one that is set forth is noticed within a minute, one set back is none', () => {
    let aheadMs = 0;
    const clock = new VirtualClock(Date.UTC(2024, 0, 31, 14));
    const told: string[] = [];
    followDays({
      clock: Object.assign(clock, { wallMs: () => clock.now() + aheadMs }),
      read: () => standingOf(0, 0, [{}]),
      tell: (text) => told.push(text.slice(0, 10)),
    });
    aheadMs = 12 * HOUR_MS;
    clock.advanceBy(MINUTE_MS);
    expect(told).toEqual(['2024-01-31']);
    aheadMs = 0;
    clock.advanceBy(MINUTE_MS);
    expect(told).toEqual(['2024-01-31']);
    clock.advanceBy(10 * HOUR_MS);
    expect(told).toEqual(['2024-01-31', '2024-01-31']);
  });

  it('tells what was done while the date was ahead of itself of the day that it was set back to', () => {
    let aheadMs = 2 * DAY_MS;
    const clock = new VirtualClock(Date.UTC(2024, 0, 31, 14));
    let standing = standingOf(0, 0, [{}]);
    const told: string[] = [];
    followDays({
      clock: Object.assign(clock, { wallMs: () => clock.now() + aheadMs }),
      read: () => standing,
      tell: (text) => told.push(text),
    });
    standing = standingOf(3, 2, [{ profit: '4' }]);
    aheadMs = 0;
    clock.advanceBy(HOUR_MS);
    standing = standingOf(4, 3, [{ profit: '5' }]);
    clock.advanceBy(9 * HOUR_MS);
    expect(told).toEqual([
      expect.stringMatching(
        /^2024-01-31 since 14:01:00 UTC: 3 fills of 4 orders, net \+5\.00 usdt/,
      ),
    ]);
  });

  it('tells of the day whose end is that of the run', () => {
    const { clock, told, subscription } = followed();
    clock.schedule(() => subscription.unsubscribe(), DAY_MS + 10 * HOUR_MS - 3 * MINUTE_MS);
    clock.advanceBy(5 * DAY_MS);
    expect(told.map((text) => text.slice(0, 10))).toEqual(['2024-01-31', '2024-02-01']);
  });

  it('tells nothing more once it is unsubscribed', () => {
    const { clock, told, subscription } = followed();
    subscription.unsubscribe();
    clock.advanceBy(3 * DAY_MS);
    expect(told).toEqual([]);
  });
});

describe('runDeployment', () => {
  it('tells the log at the end of a day what came of it', async () => {
    const log = keptLog();
    const quiet = {
      ...LIVELY_MARKET,
      synthetic: { ...LIVELY_MARKET.synthetic, tradesPerMinute: 1 },
    };
    const file = deploymentFile({
      venue: { kind: 'simulated', transport: 'process', markets: [quiet] },
      strategies: [{ use: 'ema-cross', params: { amount: 0.001, interval: '1hour' } }],
      data: { feeds: false, depthPollMs: 60_000, tradesPollMs: 60_000, candleHistory: 1 },
    });
    await runDeployment(virtualRun({ file, log, durationMs: DAY_MS }));
    const days = log.lines.filter((line) => line.includes('"day over: 2024-01-01: '));
    expect(days).toHaveLength(1);
  });
});
