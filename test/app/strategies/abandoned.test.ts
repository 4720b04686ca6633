import { describe, expect, it } from 'vitest';
import { tellAbandoned } from '../../../src/app/strategies/abandoned.ts';
import type { Amount } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { makeFill, makeMarket } from '../../domain/fixture.ts';
import { makePositions } from '../../ledger/fixture.ts';

const MARKETS = [makeMarket({ minAmount: 0.001 }), makeMarket({ id: 'eth_usdt', base: 'eth' })];

/** Two strategies, of which `maker` holds so much of btc. */
function holding(amount: number) {
  const { bus, bookings, positions } = makePositions(MARKETS);
  const lines: string[] = [];
  const logger = { error: (_: object, text: string) => lines.push(text) } as never;
  const strategies = ['maker', 'other'].map((name) => ({ name, markets: MARKETS }));
  tellAbandoned({ bus, positions, strategies, logger });
  const side = amount < 0 ? 'sell' : 'buy';
  const size = Math.abs(amount) as Amount;
  bookings.next(makeFill({ strategy: 'maker', side, amount: size, fee: Decimal.ZERO }));
  const is = (strategy: string, status: 'started' | 'failed' | 'ended' | 'stopped') =>
    bus.publish({ kind: 'strategy', time: 0, strategy, status, reason: '' });
  return { is, lines };
}

describe('tellAbandoned', () => {
  it.each([
    ['failed', 0.5, 'maker is over and holds 0.5 btc in btc_usdt: nothing closes this'],
    ['ended', -0.5, 'maker is over and holds -0.5 btc in btc_usdt: nothing closes this'],
  ] as const)('tells what a strategy holds that has %s', (status, amount, text) => {
    const { is, lines } = holding(amount);
    is('maker', status);
    expect(lines).toEqual([text]);
  });

  it('says nothing of one that starts, is stopped, or holds nothing', () => {
    const { is, lines } = holding(0.5);
    is('maker', 'started');
    is('maker', 'stopped');
    is('other', 'failed');
    is('nobody', 'failed');
    expect(lines).toEqual([]);
  });

  it('takes what no order can trade for nothing', () => {
    const { is, lines } = holding(0.0009);
    is('maker', 'failed');
    expect(lines).toEqual([]);
  });
});
