import { describe, expect, it } from 'vitest';
import type { LiveOrder, OrderState } from '../../../src/domain/index.ts';
import { LapsedOrders } from '../../../src/execution/heartbeat/lapsed-orders.ts';
import { silentLogger } from '../../../src/kernel/index.ts';
import { makeOpen } from '../../domain/fixture.ts';

function created() {
  const lines: string[] = [];
  const ledger = new Map<string, OrderState>();
  const orders = { get: (id: string) => ledger.get(id) };
  const logger = {
    ...silentLogger,
    info: (_fields: object, text: string) => void lines.push(text),
  };
  type Options = ConstructorParameters<typeof LapsedOrders>[0];
  return {
    lines,
    ledger,
    lapsed: new LapsedOrders({ orders: orders as Options['orders'], logger }),
  };
}

const orderOf = (clientOrderId: string, changes: object = {}) =>
  ({ ...makeOpen(), clientOrderId, ...changes }) as OrderState;

describe('LapsedOrders', () => {
  it('tells what became of each, once', () => {
    const { lines, ledger, lapsed } = created();
    const fates: Record<string, object> = {
      tw01: { status: 'cancelled', evidence: 'query' },
      tw02: { status: 'cancelled', evidence: 'push' },
      tw03: { status: 'cancelled', evidence: 'answer' },
      tw04: { status: 'filled' },
      tw05: { status: 'open' },
      tw06: { status: 'unknown' },
      tw07: { status: 'rejected' },
      tw08: { status: 'cancelled', evidence: 'query' },
    };
    const before = Object.keys(fates).map((id) =>
      orderOf(id, id === 'tw08' ? { status: 'cancelling' } : {}),
    );
    lapsed.note('btc_usdt', before as LiveOrder[]);
    for (const [id, changes] of Object.entries(fates)) ledger.set(id, orderOf(id, changes));
    lapsed.tell('btc_usdt');
    lapsed.tell('btc_usdt');
    lapsed.tell('eth_usdt');
    expect(lines).toEqual([
      'what became of 8 orders of btc_usdt since the heartbeat lapsed: 2 cancelled by the timed ' +
        'cancel, 1 cancelled by the timed cancel or by a cancel that was not answered, ' +
        '1 cancelled, 1 filled, 1 never there, 1 rests on, 1 not found yet',
    ]);
  });

  it('does not say of one that was not found who ended it', () => {
    const { lines, ledger, lapsed } = created();
    const before = [orderOf('tw01'), orderOf('tw02')] as LiveOrder[];
    lapsed.note('btc_usdt', before);
    for (const order of [...before, orderOf('tw03') as LiveOrder]) lapsed.absent(order);
    ledger.set('tw01', orderOf('tw01', { status: 'cancelled', evidence: 'query' }));
    ledger.set('tw02', orderOf('tw02', { status: 'filled', evidence: 'query' }));
    lapsed.look();
    expect(lines).toEqual([
      'what became of 2 orders of btc_usdt since the heartbeat lapsed: 1 not found any more, 1 filled',
    ]);
  });

  it('tells by itself once all are over', () => {
    const { lines, ledger, lapsed } = created();
    lapsed.note('btc_usdt', [orderOf('tw01')] as LiveOrder[]);
    ledger.set('tw01', orderOf('tw01', { status: 'unknown' }));
    lapsed.look();
    expect(lines).toEqual([]);
    ledger.set('tw01', orderOf('tw01', { status: 'filled' }));
    lapsed.look();
    expect(lines).toEqual([
      'what became of 1 order of btc_usdt since the heartbeat lapsed: 1 filled',
    ]);
  });
});
