import { describe, expect, it } from 'vitest';
import type { Fill, TradingState } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { pastOf, startedBot } from './bot.ts';

describe('composeBot', () => {
  it('gives a bot that trades', async () => {
    const { sources } = await startedBot();
    expect(sources.orders.live('btc_usdt')).toHaveLength(2);
    expect(sources.engine.strategies[0]).toMatchObject({ status: 'started' });
  });

  it('counts what earlier runs have filled as held', async () => {
    const fill = {
      market: 'btc_usdt',
      strategy: 'steady',
      clientOrderId: 'tw1',
      exchangeOrderId: '1',
      side: 'buy',
      amount: 0.5,
      value: Decimal.of(50),
      price: 100,
      fee: Decimal.ZERO,
      feeCurrency: 'btc',
      time: 0,
    } as unknown as Fill;
    const { sources } = await startedBot({ past: pastOf({ bookings: [fill] }) });
    expect(sources.positions.position('btc_usdt').amount.toString()).toBe('0.5');
  });

  it.each(['HALTED', 'REDUCING'] as TradingState[])('stays %s over a restart', async (state) => {
    const past = pastOf({ trading: { state, reason: 'lost too much' } });
    const { sources, log } = await startedBot({ past });
    expect(sources.state).toMatchObject({ state, reason: 'lost too much' });
    expect(sources.orders.live('btc_usdt')).toEqual([]);
    expect(log.lines.join()).toContain(
      `trading is still ${state} since an earlier run: lost too much; --resume ends that`,
    );
  });

  it('trades again on a person’s word, and that is on record', async () => {
    const past = pastOf({ trading: { state: 'HALTED', reason: 'lost too much' } });
    const { sources, journal } = await startedBot({ past, resume: true });
    expect(sources.state.state).toBe('ACTIVE');
    expect(sources.orders.live('btc_usdt')).toHaveLength(2);
    expect(journal.events.find(({ kind }) => kind === 'tradingState')).toMatchObject({
      state: 'ACTIVE',
      reason: 'resumed by a person',
    });
  });

  it('says that there is nothing to resume where nothing was halted', async () => {
    for (const past of [undefined, pastOf()]) {
      const { log, sources } = await startedBot({ ...(past && { past }), resume: true });
      expect(log.lines.join()).toContain('nothing to resume');
      expect(sources.state.state).toBe('ACTIVE');
    }
  });
});
