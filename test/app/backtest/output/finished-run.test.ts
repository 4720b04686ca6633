import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { finishRun } from '../../../../src/app/backtest/index.ts';
import { LeanHeap } from '../../../../src/app/backtest/output/lean-heap.ts';
import { scratchFolder } from '../../fixture.ts';
import { checkedDeployment } from '../checks-fixture.ts';
import { minuteSource, START_MS } from '../fixture.ts';
import { depthRows, quoteRows, tickDataset, tickRun } from '../tick-fixture.ts';

afterEach(() => vi.restoreAllMocks());

/** How often each of the rows is gone through that a heap is asked to watch. */
function passesWatched(): number[] {
  const passes: number[] = [];
  vi.spyOn(LeanHeap.prototype, 'watching').mockImplementation(<T>(values: Iterable<T>) => {
    const place = passes.push(0) - 1;
    return {
      [Symbol.iterator]: () => {
        passes[place]!++;
        return values[Symbol.iterator]();
      },
    };
  });
  return passes;
}

const BOOK = (seconds: number) =>
  [
    [seconds, 'snapshot', 'buy', 99, 1],
    [seconds, 'snapshot', 'sell', 100, 1],
  ] as const;

describe('finishRun', () => {
  it.each([true, false])(
    'writes fills, curve and orders that its heap watches, html %s',
    async (html) => {
      const passes = passesWatched();
      const deployment = checkedDeployment({ backtest: { report: { html } } });
      await finishRun({ deployment, out: join(scratchFolder(), 'run') });
      const [fills, curve, orders, ...others] = passes;
      // Measured, and gone through again for trades.csv or equity.parquet.
      expect([fills! > 1, curve! > 1, orders, others]).toEqual([true, true, 1, []]);
    },
  );

  it.each([0, 0.2])(
    'refuses a period that lies in a hole of its data, warm-up hours %d, and leaves nothing',
    async (warmUpHours) => {
      const out = scratchFolder();
      const backtest = {
        ...{ from: '2024-01-01T00:15', to: '2024-01-01T00:20', warmUpHours },
        ...{ generate: {}, data: { btc_usdt: 'test' } },
      };
      const minutes = [...Array(10).keys(), 30, 31].map((at) => ({ at, close: 100 }));
      const [deployment, sources] = [checkedDeployment({ backtest }), [minuteSource(minutes)]];
      await expect(finishRun({ deployment, sources, out: join(out, 'run') })).rejects.toThrow(
        'Cannot replay 2024-01-01 00:15 to 2024-01-01 00:20: test has no row then, a period with ' +
          'data is wanted (`tradewind data check test` tells where rows are missing)',
      );
      expect(readdirSync(out)).toEqual([]);
    },
  );

  const advice = ' (`tradewind data check venue.btc_usdt.depth` tells where rows are missing)';
  it.each([
    { kind: 'quotes', advice: '', rows: quoteRows([0, 3600].map((at) => [at, 99, 1, 100, 1])) },
    { kind: 'depth', advice, rows: depthRows([...BOOK(0), ...BOOK(3600)]) },
  ] as const)(
    'takes what stood of $kind before a hole for no row in it',
    async ({ advice, ...data }) => {
      const { root } = await tickDataset(data);
      const [from, to] = [600, 1200].map((at) => new Date(START_MS + at * 1_000).toISOString());
      const strategies = [{ use: 'market-maker', params: { amount: 0.01, positionMax: 1 } }];
      const settings = { strategies, backtest: { from, to } };
      const deployment = tickRun({ root, kind: data.kind }, settings);
      const run = finishRun({ deployment, out: join(scratchFolder(), 'run') });
      const { message } = (await run.catch((thrown: Error) => thrown)) as Error;
      expect(message.split('then, ')).toEqual([
        expect.stringContaining(`venue.btc_usdt.${data.kind} has no row `),
        `a period with data is wanted${advice}`,
      ]);
    },
  );
});
