import { describe, expect, it } from 'vitest';
import { checkLookahead } from '../../../src/app/backtest/checks/lookahead.ts';
import { checkedDeployment } from './checks-fixture.ts';
import { MINUTE, replayed } from './fixture.ts';

const use = new URL('protected.ts', import.meta.url).pathname;

interface Options {
  readonly closes: readonly number[];
  readonly rules: object;
  /** Default: to be long. */
  readonly wishes?: readonly number[];
  readonly fee?: number;
  readonly fill?: object;
  readonly balances?: object;
}

/** What was traded, by the minute, and what was held at the end. */
async function protectedRun({ closes, wishes = [1], rules, fee = 0, fill, balances }: Options) {
  const { trades, events, record } = await replayed({
    ...{ minutes: closes.map((close) => ({ close })), script: {} },
    settings: {
      strategies: [{ use, name: 'protected', params: { wishes, ...rules } }],
      fees: { maker: 0, taker: fee },
    },
    backtest: {
      fill: { model: 'candles', at: 'thisClose', volumeCap: null, ...fill },
      ...(balances && { balances }),
    },
  });
  const held = events.findLast((event) => event.kind === 'position')?.position.amount.toNumber();
  return { trades, held, refusals: record.refusals };
}

describe('a protected strategy in a backtest', () => {
  it('sells at its stop-loss and stays flat, though it wishes to be long at every close', async () => {
    const closes = [100, 101, 99, 97.02, 95, 90, 110];
    const { trades, held, refusals } = await protectedRun({ closes, rules: { stopLoss: 0.03 } });
    // At the close of 97.02 the best bid is a step below it: not yet a loss of 0.03.
    expect(trades).toEqual([
      ['buy', 1, 100, 1],
      ['sell', 1, 95, 5],
    ]);
    expect([held, refusals]).toEqual([0, []]);
  });

  it('is flat but for the dust that a fee leaves, and takes its time anew', async () => {
    const closes = Array.from({ length: 12 }, () => 100);
    const rules = { holdMaxMs: 3 * MINUTE, reenterAfterMs: 2 * MINUTE };
    const { trades, held, refusals } = await protectedRun({ closes, rules, fee: 0.00123 });
    expect(trades.map(([side, amount, , minute]) => [side, amount, minute])).toEqual([
      ['buy', 1, 1],
      ['sell', 0.9987, 4],
      ['buy', 0.9999, 6],
      ['sell', 0.9987, 9],
      ['buy', 0.9999, 11],
    ]);
    expect(held).toBeGreaterThan(0.99);
    expect(refusals).toEqual([]);
  });
  it('sells behind the gap that the price has made', async () => {
    const closes = [100, 100, 60, 60];
    const { trades } = await protectedRun({
      closes,
      rules: { stopLoss: 0.03 },
      fill: { at: 'nextOpen' },
    });
    expect(trades.at(-1)).toEqual(['sell', 1, 60, 3]);
  });

  it('turns in one order where a stop is met at the same close', async () => {
    const { trades } = await protectedRun({
      closes: [100, 100, 90, 90],
      wishes: [1, 1, -1, -1],
      rules: { stopLoss: 0.03 },
      fill: { at: 'nextOpen' },
    });
    expect(trades).toEqual([
      ['buy', 1, 100, 1],
      ['sell', 2, 90, 3],
    ]);
  });

  it('sells at the close at which it may not turn', async () => {
    const { trades, held, refusals } = await protectedRun({
      closes: [100, 95, 95, 95],
      wishes: [1, -1, -1, -1],
      rules: { stopLoss: 0.03 },
      balances: { usdt: '10000' },
    });
    expect(refusals.map(({ code }) => code)).toEqual(['balance']);
    expect(trades).toEqual([
      ['buy', 1, 100, 1],
      ['sell', 1, 95, 2],
    ]);
    expect(held).toBe(0);
  });

  it('knows the past alone', async () => {
    const rules = { stopLoss: 0.0005, trailing: 0.0003, takeProfit: 0.0005, holdMaxMs: 90_000 };
    const strategies = [{ use, params: { wishes: [0.01, 0], ...rules } }];
    const report = await checkLookahead({ deployment: checkedDeployment({ strategies }), cuts: 2 });
    expect(report.intents).toBeGreaterThan(2_880);
    expect(report.prefixes.filter(({ parting }) => parting !== undefined)).toEqual([]);
  });
});

/** Sells one at first, and bids for a half at each later close. */
const MAKER = `import { defineStrategy, map, protect, quotes, z } from '#strategy';
export default defineStrategy({
  name: 'maker',
  params: z.any(),
  run: (context) =>
    context.candles('1min').pipe(
      map(({ close }, at) =>
        at === 0
          ? quotes(context.market, [], [[close - 1, 1]], { postOnly: false })
          : quotes(context.market, [[close - 5, 0.5]], []),
      ),
      protect(context, { stopLoss: 0.03 }),
    ),
});
`;

describe('a protected short position in a backtest', () => {
  it('begins anew though the fee of buying back stays', async () => {
    const closes = Array.from({ length: 12 }, () => 100);
    const rules = { holdMaxMs: 3 * MINUTE, reenterAfterMs: 2 * MINUTE };
    const { trades } = await protectedRun({ closes, wishes: [-1], rules, fee: 0.002 });
    expect(trades.map(([side, amount, , minute]) => [side, amount, minute])).toEqual([
      ['sell', 1, 1],
      ['buy', 1, 4],
      ['sell', 0.998, 6],
      ['buy', 1, 9],
      ['sell', 0.998, 11],
    ]);
  });

  it('lets quotes through though the fee of buying back stays', async () => {
    const closes = [100, 100, 104, 104, 104].map((close) => ({ close }));
    const minutes = [...closes, { close: 100, low: 98 }];
    const { trades } = await replayed({
      ...{ minutes, script: {}, text: MAKER, settings: { fees: { maker: 0.002, taker: 0.002 } } },
      backtest: { fill: { model: 'candles', at: 'thisClose', volumeCap: null } },
    });
    expect(trades.map(([side, amount, , minute]) => [side, amount, minute])).toEqual([
      ['sell', 1, 1],
      ['buy', 1, 3],
      ['buy', 0.5, 6],
    ]);
  });
});
