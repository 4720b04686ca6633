import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { finishRun } from '../../../src/app/backtest/index.ts';
import { LeanHeap } from '../../../src/app/backtest/lean-heap.ts';
import { scratchFolder } from '../fixture.ts';
import { checkedDeployment } from './checks-fixture.ts';

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
});
