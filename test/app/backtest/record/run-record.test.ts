import { afterEach, describe, expect, it, vi } from 'vitest';
import { runBacktest } from '../../../../src/app/backtest/index.ts';
import { MINUTE, replayed, START_MS } from '../fixture.ts';
import { tickDataset, tickRun, tradeRows } from '../tick-fixture.ts';

describe('recordOf a run that is ended in its warm-up', () => {
  it.each([
    ['as it begins', 2, 0],
    ['midway', 0, 2],
  ])('measures nothing of its period: %s', async (_, ahead, played) => {
    const { record } = await replayed({
      ...{ minutes: Array.from({ length: 9 }, () => ({ close: 100 })), script: {}, chunkRows: 2 },
      backtest: {
        from: new Date(START_MS + 6 * MINUTE).toISOString(),
        warmUpHours: (6 - ahead) / 60,
        balances: { usdt: '10000' },
      },
      onProgress: () => false,
    });
    const { period, stopped, coverage, notes } = record;
    const endMs = START_MS + 2 * MINUTE;
    expect(stopped).toEqual({ at: endMs, end: START_MS + 9 * MINUTE });
    expect(period).toEqual({ from: START_MS + 6 * MINUTE, to: START_MS + 6 * MINUTE });
    expect(notes).toEqual([
      'Interrupted at 2024-01-01 00:02 UTC, in the warm-up: nothing was traded.',
    ]);
    expect(coverage[0]).toMatchObject({ rows: played, to: endMs, coverage: played > 0 ? 1 : 0 });
  });
});

describe('recordOf', () => {
  it('tells orders that were rejected from wishes that were refused', async () => {
    const { record } = await replayed({
      minutes: Array.from({ length: 6 }, () => ({ close: 100 })),
      script: {
        1: { bids: [{ price: 100, amount: 0.0005 }] },
        5: { bids: [{ price: 100, amount: 1 }] },
      },
      backtest: { balances: { usdt: '100' }, fees: { taker: 0.001, in: 'quote' } },
    });
    expect(record.refusals).toEqual([
      { code: 'belowMinimum', count: 1, wishes: 1 },
      { code: 'exchange 2009', count: 1, wishes: 1, ofOrders: true },
    ]);
  });
});

describe('recordOf a run that is ended within a chunk', () => {
  /** A machine so slow that a slice of time is over at every look. */
  function slowMachine(): void {
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1_000));
  }
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const prices = Array.from({ length: 200 }, (_, at) => 100 + at);

  it('has the candles that were played in its chart, and covers what it measured', async () => {
    slowMachine();
    const { record } = await replayed({
      ...{
        minutes: prices.map((close, at) => ({ close, at: at < 150 ? at : at + 60 })),
        script: {},
      },
      onProgress: () => false,
    });
    expect([record.counts.events, record.period.to]).toEqual([32, START_MS + 32 * MINUTE]);
    expect([...record.prices.get('btc_usdt')!.close]).toEqual(prices.slice(0, 32));
    expect(record.coverage[0]!.coverage).toBe(1);
  });

  it('has the trades that were played in its chart, and covers what it measured', async () => {
    const rows = tradeRows(prices.map((price, at) => [at * 60, 'buy', price]));
    const behind = { from: START_MS + 199 * MINUTE, to: START_MS + 299 * MINUTE, reason: 'lost' };
    const last = tradeRows([[299 * 60, 'buy', 300]]);
    const { root } = await tickDataset({
      kind: 'trades',
      rows: [...rows, ...last],
      gaps: [behind],
    });
    const deployment = tickRun({ root, kind: 'trades' });
    slowMachine();
    const { record } = await runBacktest({ deployment, onProgress: () => false });
    expect(record.counts.events).toBe(64);
    expect(record.coverage[0]!.coverage).toBe(1);
    expect([...record.prices.get('btc_usdt')!.close]).toEqual(prices.slice(0, 64));
  });
});
