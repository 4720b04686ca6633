import { describe, expect, it } from 'vitest';
import { LIMITS, replayed, START_MS } from './fixture.ts';

const FALLING = [100, 100, 99, 98, 97, 99, 96].map((close) => ({ close }));

describe('the limits on losses in a backtest of candles', () => {
  it.each([
    ['daily loss of 30 usdt, at most 25 (risk.dailyLossMax)', { dailyLossMax: 25 }, 5],
    ['drawdown of 40 usdt, at most 35 (risk.drawdownMax)', { drawdownMax: 35 }, 7],
  ] as const)('hear the closes while no order is asked for: %s', async (reason, limits, minute) => {
    // 10 btc bought at 100; at 97 they have lost 30, and at 96 for the first time 40.
    const { events, status, trades } = await replayed({
      ...{ minutes: FALLING, script: { 1: 10 } },
      settings: { risk: { ...LIMITS, ...limits } },
    });
    expect(trades).toEqual([['buy', 10, 100, 2]]);
    expect(status.trading).toMatchObject({ state: 'REDUCING', reason });
    const changes = events.filter(({ kind }) => kind === 'tradingState');
    expect(changes.map((change) => 'time' in change && change.time)).toEqual([
      START_MS + minute * 60_000,
    ]);
  });

  it('let a position be that loses less', async () => {
    const { status } = await replayed({
      ...{ minutes: FALLING, script: { 1: 10 } },
      settings: { risk: { ...LIMITS, dailyLossMax: 40, drawdownMax: 40 } },
    });
    expect(status.trading.state).toBe('ACTIVE');
  });
});
