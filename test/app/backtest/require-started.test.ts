import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkLookahead, finishRun } from '../../../src/app/backtest/index.ts';
import { requireStarted } from '../../../src/app/backtest/require-started.ts';
import type { StrategyReport } from '../../../src/engine/index.ts';
import { scratchFolder } from '../fixture.ts';
import { checkedDeployment } from './checks-fixture.ts';

/** A deployment whose data are candles of five minutes. */
function fiveMinutes(...intervals: string[]) {
  return checkedDeployment({
    strategies: intervals.map((interval, at) => {
      return { use: 'ema-cross', name: `cross${at}`, params: { amount: 0.01, interval } };
    }),
    backtest: { generate: { btc_usdt: { startPrice: 30_000, interval: '5min' } } },
  });
}

describe('a backtest', () => {
  it('ends before its first row where a strategy wants candles finer than the data', async () => {
    const deployment = fiveMinutes('5min', '1min');
    const out = join(scratchFolder(), 'runs', 'run');
    let isPlayed = false;
    const onProgress = () => {
      isPlayed = true;
      return true;
    };
    await expect(finishRun({ deployment, out, onProgress })).rejects.toMatchObject({
      reason: 'strategy',
      message: expect.stringMatching(
        /deployment\.yaml:\d+:\d+: Cannot start strategy "cross1": Cannot stream candles of 1min in btc_usdt: .* has candles of 5min, an interval that is a multiple of these is wanted$/,
      ),
    });
    expect(isPlayed).toBe(false);
    expect(existsSync(out) || readdirSync(dirname(out)).length > 0).toBe(false);
    await expect(checkLookahead({ deployment })).rejects.toThrow('Cannot start strategy "cross1"');
  });

  it('goes on where all strategies have what they want', async () => {
    const out = join(scratchFolder(), 'run');
    const { status } = await finishRun({ deployment: fiveMinutes('5min', '15min'), out });
    expect(status.strategies.map(({ status: how }) => how)).toEqual(['started', 'started']);
  });
});

describe('requireStarted', () => {
  const report = (status: StrategyReport['status'], name = 'one') => {
    return { name, status, reason: `it ${status}` };
  };

  it('names every strategy that failed', () => {
    const reports = [report('failed'), report('started', 'two'), report('failed', 'three')];
    expect(() => requireStarted(reports, fiveMinutes('5min', '5min', '5min'))).toThrow(
      /^.*:(\d+):.*"one": it failed\n.*:(?!\1)\d+:.*"three": it failed$/,
    );
  });

  it('lets one be that is over by itself', () => {
    requireStarted([report('ended'), report('started')], fiveMinutes('5min', '5min'));
  });
});
