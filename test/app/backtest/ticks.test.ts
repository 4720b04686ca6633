import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { HOUR_MS } from '../../../src/kernel/index.ts';
import { analyse, metricsFileOf } from '../../../src/report/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { scratchFile } from '../fixture.ts';
import { START_MS } from './fixture.ts';
import { depthRows, replayedTicks, tickDataset, tickRun, tradeRows } from './tick-fixture.ts';

const DEPTH = depthRows([
  [0, 'snapshot', 'buy', 99, 5],
  [0, 'snapshot', 'buy', 99.9, 5],
  [0, 'snapshot', 'sell', 100, 1],
  [0, 'snapshot', 'sell', 100.1, 3],
  [1, 'change', 'buy', 99.95, 2],
  [2, 'change', 'sell', 100, 0],
  [3, 'trade', 'buy', 100.1, 1],
  [4, 'gap', 'buy', 0, 0],
  [5, 'trade', 'buy', 100.2, 1],
  [6, 'snapshot', 'buy', 100, 5],
  [6, 'snapshot', 'sell', 101, 5],
  [7, 'trade', 'buy', 101, 1],
]);
const stale = (log: readonly string[]) => log.filter((line) => line.includes('freshness'));

describe('what strategies hear in a backtest of depth', () => {
  it('is the recording, without own orders and own trades, as the report says', async () => {
    const rows = [...DEPTH.slice(0, 4), ...depthRows([[1, 'change', 'buy', 99, 6]])];
    const { root } = await tickDataset({ kind: 'depth', rows });
    const use = new URL('quoter.ts', import.meta.url).pathname;
    const deployment = tickRun({ root, kind: 'depth' }, { strategies: [{ use }] });
    const { record, log } = await runBacktest({ deployment });
    expect(Array.from(record.fills, ({ amount, price }) => [amount, price])).toEqual([[0.5, 100]]);
    const book = (amount: number) =>
      `depth { asks: [ [ 100, 1 ], [ 100.1, 3 ] ], bids: [ [ 99.9, 5 ], [ 99, ${amount} ] ] }`;
    expect(log.map((line) => line.slice(line.indexOf('depth')))).toEqual([book(5), book(6)]);
    expect(record.fillModel?.confession.join(' ')).toContain(
      'own orders are not in the book that they see',
    );
  });
});

it('best prices made up of trades are of the time of the trade', async () => {
  const rows = tradeRows([
    [1, 'buy', 100],
    [3, 'sell', 99],
  ]);
  const { root } = await tickDataset({ kind: 'trades', rows });
  const use = scratchFile(
    'times.ts',
    `import { defineStrategy, EMPTY, mergeMap, z } from '#strategy';
    export default defineStrategy({
      name: 'times',
      params: z.strictObject({}),
      run: ({ depth, log }) =>
        depth().pipe(mergeMap(({ exchangeTime }) => (log(String(exchangeTime - ${START_MS})), EMPTY))),
    });`,
  );
  const deployment = tickRun({ root, kind: 'trades' }, { strategies: [{ use }] });
  const { log } = await runBacktest({ deployment });
  expect(log.map((line) => line.split(' ').at(-1))).toEqual(['1000', '3000']);
});

describe('a backtest of depth', () => {
  it('knows the book where its period begins in the middle of the recording', async () => {
    const { trades, log, record } = await replayedTicks({ kind: 'depth', rows: DEPTH }, 2.5);
    expect(log[0]).toBe(
      '2024-01-01T00:00:02.500Z adder: depth { asks: [ [ 100.1, 3 ] ], ' +
        'bids: [ [ 99.95, 2 ], [ 99.9, 5 ], [ 99, 5 ] ] }',
    );
    expect(trades[0]).toEqual([3, 'buy', 0.1, 100.1]);
    // 10000 usdt and 10 btc at the middle of that book.
    expect(wholeCurve(record).equity[0]).toBeCloseTo(10_000 + 10 * 100.025, 9);
  });

  it('does the same as the run on all of the recording, once that is there', async () => {
    const whole = await replayedTicks({ kind: 'depth', rows: DEPTH });
    for (const from of [0.5, 1, 2, 2.5]) {
      const { trades } = await replayedTicks({ kind: 'depth', rows: DEPTH }, from);
      expect(trades).toEqual(whole.trades);
    }
  });

  it('knows no book from a gap to the next whole one, wherever it begins', async () => {
    for (const from of [0, 4.5]) {
      const { trades, record } = await replayedTicks({ kind: 'depth', rows: DEPTH }, from);
      expect(record.refusals).toEqual([{ code: 'staleData', count: 1, wishes: 1 }]);
      // What was refused is put forward again each second, and passes once the book is whole.
      expect(trades.map(([second]) => second)).toEqual(from === 0 ? [3, 7, 7] : [7, 7]);
    }
  });

  it('values the account, and draws prices, by the second where the period is short', async () => {
    const { record } = await replayedTicks({ kind: 'depth', rows: DEPTH });
    const secondsOf = (time: Float64Array) => Array.from(time, (at) => (at - START_MS) / 1_000);
    const curve = wholeCurve(record);
    expect(secondsOf(curve.time)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(secondsOf(record.prices.get('btc_usdt')!.time)).toEqual([3, 5, 7]);
    const positions = curve.positions.get('btc_usdt')!;
    expect(positions[3]).toBe(0.1);
    expect(positions.at(-1)).toBe(0.3);
  });

  it('tells in its coverage where the book was unknown', async () => {
    const { record, log } = await replayedTicks({ kind: 'depth', rows: DEPTH });
    expect(record.coverage[0]!.findings).toEqual([
      'The book is unknown from 2024-01-01 00:00:04 to 2024-01-01 00:00:06 UTC: for 2.0 s.',
    ]);
    expect(stale(log).map((line) => line.slice(17, 24))).toEqual(['04.000Z', '06.000Z']);
  });

  it('tells of a gap that its period ends in, and of one that it begins in', async () => {
    const rows = depthRows([
      [0, 'snapshot', 'buy', 99, 5],
      [0, 'snapshot', 'sell', 100, 1],
      [15, 'gap', 'buy', 0, 0],
      [20, 'trade', 'buy', 100, 1],
      [90, 'snapshot', 'buy', 99, 5],
      [90, 'snapshot', 'sell', 100, 1],
    ]);
    const ending = await replayedTicks({ kind: 'depth', rows });
    expect(ending.record.coverage[0]).toMatchObject({
      coverage: 15 / 60,
      findings: [
        'The book is unknown from 2024-01-01 00:00:15 to 2024-01-01 00:01 UTC: for 45.0 s.',
      ],
    });
    const beginning = await replayedTicks({ kind: 'depth', rows }, 18);
    expect(beginning.record.coverage[0]).toMatchObject({
      coverage: 0,
      findings: [
        'The book is unknown from 2024-01-01 00:00:18 to 2024-01-01 00:01 UTC: for 42.0 s.',
      ],
    });
  });
});

describe('a backtest of depth without a whole book', () => {
  const CHANGES = depthRows([
    [0, 'trade', 'buy', 100, 1],
    [1, 'change', 'buy', 99, 5],
    [2, 'change', 'sell', 101, 5],
    [30, 'change', 'sell', 101, 4],
  ]);

  it('says that nobody knows what the account is worth where it owns of the market', async () => {
    const { record, trades } = await replayedTicks({ kind: 'depth', rows: CHANGES });
    expect(trades).toEqual([]);
    expect(record.notes).toContain(
      'No price of btc_usdt came, by which btc is valued: the worth of the account is not known, and ' +
        'figures that rest on it are left out.',
    );
    const { metrics, reasons } = metricsFileOf(analyse(record));
    expect([metrics.maxDrawdown, metrics.longestDrawdown, metrics.meanExposure]).toEqual([
      ...[null, null, null],
    ]);
    expect(reasons.longestDrawdown).toBe('no price in the account currency is known');
    expect(record.coverage[0]!.coverage).toBeCloseTo(0, 3);
  });

  it('has its figures where it owns money alone', async () => {
    const { root } = await tickDataset({ kind: 'depth', rows: CHANGES });
    const deployment = tickRun({ root, kind: 'depth' }, { backtest: { balances: { usdt: '9' } } });
    const { record } = await runBacktest({ deployment });
    expect(record.notes!.join()).not.toContain('No price');
    const { metrics } = metricsFileOf(analyse(record));
    expect([metrics.totalReturn, metrics.longestDrawdown, metrics.meanExposure]).toEqual([0, 0, 0]);
  });
});

const TRADES = tradeRows([
  [1, 'sell', 99.9],
  [2, 'buy', 100],
  [10, 'buy', 101],
  [11, 'buy', 101],
]);

describe('a backtest of trades', () => {
  it('refuses orders in a gap of the recording, and tells strategies and the report of it', async () => {
    const gaps = [{ from: START_MS + 2_000, to: START_MS + 11_000, reason: 'the line was cut' }];
    const { trades, record, log } = await replayedTicks({ kind: 'trades', rows: TRADES, gaps });
    expect(record.refusals).toEqual([{ code: 'staleData', count: 1, wishes: 1 }]);
    // The order of the second second was made before anybody knew.
    expect(trades.map(([second]) => second)).toEqual([1, 2, 11]);
    expect(stale(log).filter((line) => line.includes("'trade'"))).toEqual([
      "2024-01-01T00:00:02.000Z adder: freshness { fresh: false, stream: 'trade' }",
      "2024-01-01T00:00:11.000Z adder: freshness { fresh: true, stream: 'trade' }",
    ]);
    expect(record.coverage[0]!.findings).toEqual([
      'Nothing is recorded from 2024-01-01 00:00:02 to 2024-01-01 00:00:11 UTC: the line was cut.',
    ]);
  });

  it.each([0, 500])('tells once of the silence that it ends in, %i ms late', async (feed) => {
    const rows = tradeRows([
      [1, 'sell', 100],
      [5 * 3_600, 'sell', 100],
    ]);
    const { root } = await tickDataset({ kind: 'trades', rows });
    const deployment = tickRun({ root, kind: 'trades' }, { backtest: { latency: { feed } } });
    const period = { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + 3 * HOUR_MS };
    const { record } = await runBacktest({ deployment, period });
    expect(record.coverage[0]).toMatchObject({
      coverage: 0,
      findings: [
        'No row was recorded from 2024-01-01 00:00:01 to 2024-01-01 03:00 UTC: for 3.0 hours.',
      ],
    });
  });

  it('trades where none is missing', async () => {
    const { trades, record } = await replayedTicks({ kind: 'trades', rows: TRADES });
    expect(record.refusals).toEqual([]);
    expect(trades.map(([second]) => second)).toEqual([1, 2, 10, 11]);
    expect(record.fillModel?.confession.join(' ')).toContain('There is no book');
  });
});

describe('a backtest of trades with latency', () => {
  it('values what was heard until then, though the next row comes later', async () => {
    const rows = tradeRows([
      [0, 'buy', 100],
      [1.1, 'buy', 100],
      [10, 'buy', 100],
    ]);
    const { root } = await tickDataset({ kind: 'trades', rows });
    const backtest = { latency: { order: 40, answer: 200 } };
    const deployment = tickRun({ root, kind: 'trades' }, { backtest });
    const period = { warmFromMs: START_MS, fromMs: START_MS, toMs: START_MS + 10_001 };
    const { record } = await runBacktest({ deployment, period });
    const { time, positions } = wholeCurve(record);
    const held = positions.get('btc_usdt')!;
    const tenths = Array.from(time, (at, row) => {
      return [(at - START_MS) / 1_000, Math.round(10 * held[row]!)];
    });
    // The second is heard of at 1.34; the third behind the end, to which it belongs.
    expect(tenths).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [10.001, 3],
    ]);
    expect(record.period.to).toBe(START_MS + 10_001);
  });
});
