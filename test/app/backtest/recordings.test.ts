import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadBacktest, runBacktest } from '../../../src/app/backtest/index.ts';
import { importData } from '../../../src/app/history/index.ts';
import {
  type Candle,
  INTERVAL_MS,
  type Interval,
  type TradingEvent,
} from '../../../src/domain/index.ts';
import { seededRandom } from '../../../src/kernel/index.ts';
import { dataFile } from '../../recordings.ts';
import { scratchFolder } from '../fixture.ts';
import { backtestFile, LIMITS, START_MS } from './fixture.ts';
import { ownedByBalances, ownedByFills } from './owned.ts';
import { depthRows, tickDataset } from './tick-fixture.ts';

const LISTENER = new URL('listener.ts', import.meta.url).pathname;

interface Recording {
  readonly root: string;
  readonly id: string;
  readonly market: string;
}

/** Replays a recording with the market maker: what happened, and what the account owned at last. */
async function quoted(
  { root, id, market }: Recording,
  { model, balances, params }: { model: string; balances: Record<string, string>; params: object },
) {
  const file = backtestFile({
    markets: [market],
    strategies: [{ use: 'market-maker', params }],
    fees: { maker: 0.0002, taker: 0.0005 },
    risk: LIMITS,
    backtest: {
      ...{ balances, dataFolder: root, data: { [market]: id }, fill: { model } },
      latency: { order: 30, answer: 20, feed: 5 },
    },
  });
  const events: TradingEvent[] = [];
  const onEvent = (event: TradingEvent): void => void events.push(event);
  const { record } = await runBacktest({ deployment: loadBacktest(file), onEvent });
  const [owned, expected] = [ownedByBalances(events), ownedByFills(balances, record.fills)];
  return { record, owned, expected, hash: record.journalHash };
}

/** Trades of XRP/ETH as they were, else made-up ones. */
async function trades(): Promise<Recording> {
  const root = scratchFolder();
  let file = dataFile('trades/XRP_ETH-trades.json.gz');
  if (file === undefined) {
    file = join(root, 'XRP_ETH-trades.json');
    const random = seededRandom('xrp');
    const rows = Array.from({ length: 3_000 }, (_, at) => {
      const price = (1_450 + Math.round(20 * Math.sin(at / 50)) + random.integer(5)) / 1e6;
      const side = random.integer(2) === 0 ? 'buy' : 'sell';
      return [START_MS + at * 5_000, `${at}`, null, side, price, 50 + random.integer(500), 1];
    });
    writeFileSync(file, JSON.stringify(rows));
  }
  const [imported] = await importData({ root, files: [file], overlap: 'refuse' });
  return { root, id: imported!.dataset.id, market: 'xrp_eth' };
}

/** The book of BTC/USDT as it was, else a made-up one. */
async function depth(): Promise<Recording> {
  const file = dataFile('books/binance-spot/btcusdt_20240808.gz');
  if (file !== undefined) {
    const root = scratchFolder();
    const [imported] = await importData({
      ...{ root, files: [file], overlap: 'refuse' },
      market: 'btc_usdt',
    });
    return { root, id: imported!.dataset.id, market: 'btc_usdt' };
  }
  const random = seededRandom('book');
  const mid = (at: number) => 60_000 + Math.round(30 * Math.sin(at / 20));
  const rows = Array.from({ length: 600 }, (_, at) => {
    const seconds = at / 2;
    const side = random.integer(2) === 0 ? 'buy' : 'sell';
    return [
      [seconds, 'snapshot', 'buy', mid(at) - 1, 0.51],
      [seconds, 'snapshot', 'sell', mid(at) + 1, 0.51],
      [seconds, 'trade', side, mid(at) + (side === 'buy' ? 1 : -1), 0.3],
    ] as const;
  }).flat();
  const { root, dataset } = await tickDataset({ kind: 'depth', rows: depthRows(rows) });
  return { root, id: dataset.id, market: 'btc_usdt' };
}

const PARAMS = { spread: 0.0002, volatilityFactor: 0, requote: 0.0001 };

describe('the market maker on a recording', () => {
  it.each([
    {
      ...{ kind: 'trades', open: trades, balances: { eth: '10', xrp: '10000' } },
      params: { ...PARAMS, amount: 20, positionMax: 200 },
    },
    {
      ...{ kind: 'depth', open: depth, balances: { usdt: '100000', btc: '2' } },
      params: { ...PARAMS, spread: 0.00001, amount: 0.01, positionMax: 0.1 },
    },
  ])(
    'of $kind trades, keeps every unit of money, and does the same twice',
    async ({ kind, open, balances, params }) => {
      const recording = await open();
      const first = await quoted(recording, { model: kind, balances, params });
      expect(first.record.counts.fills).toBeGreaterThan(10);
      expect(first.record.counts.events).toBe(first.record.coverage[0]!.rows);
      expect(first.owned).toEqual(first.expected);
      const second = await quoted(recording, { model: kind, balances, params });
      expect(second.hash).toBe(first.hash);
    },
    60_000,
  );
});

const REAL_TRADES = dataFile('trades/XRP_ETH-trades.json.gz');

describe('candles of recorded trades', () => {
  it.skipIf(REAL_TRADES === undefined).each([
    ['1min', 2_469],
    ['5min', 706],
  ])('are as many of %s as the trades have, but for the last', async (interval, count) => {
    const { root, id, market } = await trades();
    const file = backtestFile({
      markets: [market],
      strategies: [{ use: LISTENER, params: { intervals: [interval] } }],
      backtest: {
        ...{ dataFolder: root, data: { [market]: id }, balances: { eth: '10' } },
        fill: { model: 'trades' },
      },
    });
    const { log } = await runBacktest({ deployment: loadBacktest(file) });
    const candles = log.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Candle);
    // The last one runs still when the trades are over.
    expect(candles.filter(({ volume }) => volume > 0)).toHaveLength(count - 1);
    const lengths = candles.slice(1).map(({ openTime }, at) => openTime - candles[at]!.openTime);
    expect(new Set(lengths)).toEqual(new Set([INTERVAL_MS[interval as Interval]]));
  });
});
