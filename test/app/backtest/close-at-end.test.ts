import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../src/app/backtest/index.ts';
import { analyse } from '../../../src/report/index.ts';
import { wholeCurve } from '../../report/fixture.ts';
import { LIMITS, minuteSource, replayed, scriptedDeployment } from './fixture.ts';

const FLAT = Array.from({ length: 9 }, () => ({ close: 100, volume: 1e6 }));

describe('closing at the end', () => {
  it.each(['close', 'open'])('takes as many orders as risk wants: %s', async (closeAtEnd) => {
    const { trades, record } = await replayed({
      ...{ minutes: FLAT, script: { 1: 3, 2: 6, 3: 9, 4: 12, 5: 15, 6: 18 } },
      settings: { risk: { ...LIMITS, orderValueMax: 310 } },
      backtest: { closeAtEnd },
    });
    const sold = trades.filter(([side]) => side === 'sell').map(([, amount]) => amount);
    expect(sold.length).toBeGreaterThan(5);
    expect(sold.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(18, 8);
    expect(record.notes?.join()).not.toContain('closeAtEnd did not');
  });

  it.each([1, 2, 3, 4])('waits for its answers, however long they take: seed %d', async (seed) => {
    const { trades, record } = await replayed({
      ...{ minutes: FLAT, script: { 1: 3, 2: 6 } },
      settings: { seed: `${seed}`, risk: { ...LIMITS, orderValueMax: 310 } },
      backtest: {
        closeAtEnd: 'close',
        latency: {
          order: { lognormal: { medianMs: 80, sigma: 2 } },
          answer: { samplesMs: [1, 1, 1, 900] },
        },
      },
    });
    const sold = trades.filter(([side]) => side === 'sell').map(([, amount]) => amount);
    expect(sold.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(6, 8);
    expect(record.notes?.join()).not.toContain('closeAtEnd did not');
  });

  it('closes what an order under way buys meanwhile', async () => {
    const { trades } = await replayed({
      ...{ minutes: FLAT, script: { 1: 3, 3: 0, 8: 6 } },
      backtest: { closeAtEnd: 'close', fees: { in: 'base' }, latency: { order: 80, answer: 80 } },
    });
    expect(trades.map(([side]) => side)).toEqual(['buy', 'sell', 'buy', 'sell']);
  });

  it.each([
    ['basisPoints', { basisPoints: 200 }],
    ['steps', { steps: 200 }],
  ])('pays the slippage of fill, however much that is: %s', async (_of, slippage) => {
    const { trades, record } = await replayed({
      ...{ minutes: FLAT, script: { 1: { bids: [{ price: 103, amount: 3 }] } } },
      backtest: {
        closeAtEnd: 'close',
        fill: { model: 'candles', volumeCap: null, slippage },
      },
    });
    expect(trades.map(([side, , price]) => [side, price])).toEqual([
      ['buy', 102],
      ['sell', 98],
    ]);
    expect(record.notes?.join()).not.toContain('closeAtEnd did not');
  });
});

describe.each(['base', 'received'])('closing at the end, with fees in %s,', (feesIn) => {
  /** The run's orders and what its strategy holds at its end. */
  async function closed(script: Readonly<Record<number, number>>) {
    const source = minuteSource(FLAT);
    const market = { ...source.market, amountScale: 8, minAmount: 1e-8 };
    const deployment = scriptedDeployment({
      script,
      backtest: {
        balances: { usdt: '1000000', btc: '1010' },
        closeAtEnd: 'close',
        fees: { maker: 0.002, taker: 0.002, in: feesIn },
      },
    });
    const { record } = await runBacktest({ deployment, sources: [{ ...source, market }] });
    expect(record.notes?.join()).not.toContain('closeAtEnd did not');
    const left = wholeCurve(record).positions.get('btc_usdt')!.at(-1)!;
    return { orders: record.counts.orders, left, open: analyse(record).facts.trades.open };
  }

  it('leaves what the fee of its order takes, as a target does', async () => {
    const left = feesIn === 'base' ? -1.996 : 0;
    expect(await closed({ 1: 1_000 })).toEqual({ orders: 2, left, open: 0 });
    expect(await closed({ 1: -1_000 })).toMatchObject({ orders: 2, open: 0 });
  });

  it('leaves what a fee left before', async () => {
    const left = feesIn === 'base' ? -1.996 : 0;
    expect(await closed({ 1: 1_000, 3: 0 })).toEqual({ orders: 2, left, open: 0 });
  });
});

describe('closing at the last open', () => {
  it.each(['trades', 'depth'])('is refused where orders fill by %s', (model) => {
    const backtest = { closeAtEnd: 'open', fill: { model } };
    expect(() => scriptedDeployment({ script: {}, backtest })).toThrow(
      new RegExp(
        String.raw`deployment.yaml:\d+:\d+: Cannot close at the open of the last candle: ` +
          `orders fill by ${model}, closeAtEnd: close is wanted with that$`,
      ),
    );
  });
});
