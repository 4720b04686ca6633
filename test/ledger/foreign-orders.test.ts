import { describe, expect, it } from 'vitest';
import { ForeignOrders } from '../../src/ledger/foreign-orders.ts';
import { makeRecord } from '../domain/fixture.ts';

type RecordOverrides = Parameters<typeof makeRecord>[0];

function createForeign() {
  const foreign = new ForeignOrders();
  const take = (overrides: RecordOverrides, { isAwaited = false, time = 0 } = {}) =>
    foreign.take({ record: makeRecord(overrides), evidence: 'push' }, { isAwaited, time });
  const idsIn = (market: string) =>
    foreign.of(market).map(({ exchangeOrderId }) => exchangeOrderId);
  const ids = () => ['btc_usdt', 'eth_usdt'].flatMap(idsIn);
  return { foreign, take, idsIn, ids };
}

describe('ForeignOrders', () => {
  it('names the open ones of each market, until they are told to be over', () => {
    const { foreign, take, idsIn, ids } = createForeign();
    expect([idsIn('btc_usdt'), ids()]).toEqual([[], []]);
    take({ exchangeOrderId: '1' });
    take({ exchangeOrderId: '2', market: 'eth_usdt' });
    expect([idsIn('btc_usdt'), ids()]).toEqual([['1'], ['1', '2']]);
    take({ exchangeOrderId: '1', closed: true }, { time: 5 });
    expect([idsIn('btc_usdt'), ids()]).toEqual([[], ['2']]);
    expect([foreign.overMs('1'), foreign.overMs('2')]).toEqual([5, undefined]);
  });

  it('keep what may be ours aside, until it is claimed or nobody can claim it any more', () => {
    const { foreign, take, ids } = createForeign();
    take({ exchangeOrderId: '1' }, { isAwaited: true });
    take({ exchangeOrderId: '2' }, { isAwaited: true });
    expect(ids()).toEqual([]);
    expect(foreign.claim('1')?.record.exchangeOrderId).toBe('1');
    expect(foreign.giveUp('eth_usdt')).toEqual([]);
    expect(foreign.giveUp('btc_usdt')).toHaveLength(1);
    expect(ids()).toEqual(['2']);
  });

  it('hear of readings what they know of already, and nothing else', () => {
    const { foreign, take, ids } = createForeign();
    take({ exchangeOrderId: '1' });
    foreign.hear(makeRecord({ exchangeOrderId: '2' }));
    foreign.hear(makeRecord({ exchangeOrderId: '1', closed: true }));
    expect(ids()).toEqual([]);
  });

  it('are of a market what a full read of it names', () => {
    const { foreign, take, ids } = createForeign();
    take({ exchangeOrderId: '1' });
    take({ exchangeOrderId: '2', market: 'eth_usdt' });
    foreign.reset('btc_usdt', [makeRecord({ exchangeOrderId: '3' })]);
    expect(ids()).toEqual(['3', '2']);
  });
});
