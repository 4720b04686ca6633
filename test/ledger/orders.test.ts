import { describe, expect, it } from 'vitest';
import {
  type Amount,
  newsOf,
  type OrderNews,
  type OrderRecord,
  type Price,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { LedgerError } from '../../src/ledger/errors.ts';
import { ADOPTED } from '../../src/ledger/index.ts';
import { makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { keptLines } from '../kernel/fixture.ts';
import { makeLedgers } from './fixture.ts';

const half = 0.5 as Amount;
const whole = 1 as Amount;

function accepted(exchangeOrderId = '1'): OrderNews {
  return { kind: 'accepted', exchangeOrderId, time: 1, evidence: 'answer' };
}

/** Ledgers whose order has just left. */
function pending(
  options: Parameters<typeof makeLedgers>[0] = {},
  overrides: Parameters<typeof makePending>[0] = {},
) {
  const ledgers = makeLedgers(options);
  ledgers.orders.create(makePending(overrides));
  return ledgers;
}

/** Ledgers whose order rests, by its answer. */
function resting(...made: Parameters<typeof pending>) {
  const ledgers = pending(...made);
  ledgers.orders.apply('tw0001', accepted());
  return ledgers;
}

const answer = { time: 2, evidence: 'answer' } as const;
const lost: OrderNews = { kind: 'lost', reason: 'timed out', time: 1, evidence: 'request' };

describe('OrderLedger.create', () => {
  it('publishes the order and makes it live', () => {
    const { orders, events } = makeLedgers();
    const order = makePending();
    orders.create(order);
    expect(events).toEqual([{ kind: 'order', time: 0, market: 'btc_usdt', order }]);
    expect(orders.live('btc_usdt')).toEqual([order]);
    expect(orders.get('tw0001')).toBe(order);
  });

  it('refuses an id that was used before, live or over', () => {
    const { orders } = pending();
    expect(() => orders.create(makePending())).toThrow(LedgerError);
    orders.apply('tw0001', { kind: 'rejected', reason: 'no', time: 1, evidence: 'answer' });
    expect(() => orders.create(makePending())).toThrow(/id is taken/);
  });

  it('refuses a market that is not known', () => {
    const { orders } = makeLedgers();
    expect(() => orders.create(makePending({ market: 'x_y' }))).toThrow(/x_y is not known/);
  });
});

describe('OrderLedger.apply', () => {
  it('publishes a fill after its order, once for each growth', () => {
    const { orders, events } = resting();
    orders.record(makeRecord({ filledAmount: half }), 'push');
    orders.record(makeRecord({ filledAmount: half }), 'push');
    orders.record(makeRecord({ filledAmount: whole, closed: true }), 'push');
    const kinds = events.map((event) => event.kind);
    const fill = ['order', 'fill', 'position'];
    expect(kinds).toEqual(['order', 'order', ...fill, ...fill]);
  });

  it('publishes nothing when nothing changes', () => {
    const { orders, events } = resting();
    const count = events.length;
    expect(orders.apply('tw0001', accepted()).status).toBe('open');
    expect(events).toHaveLength(count);
  });

  it('refuses an order that it does not have', () => {
    const { orders } = makeLedgers();
    expect(() => orders.apply('nobody', lost)).toThrow(/no order is nobody/);
  });

  it('has the whole change in place before anybody is told', () => {
    const { orders, positions, bus } = pending();
    const seen: string[] = [];
    bus.on('order').subscribe(({ order }) => {
      const { amount } = positions.position('btc_usdt');
      seen.push(`${order.status} ${orders.live('btc_usdt').length} ${amount}`);
    });
    orders.record(makeRecord({ filledAmount: whole, closed: true }), 'push');
    orders.apply('tw0001', accepted());
    expect(seen).toEqual(['open 0 0.998', 'filled 0 0.998']);
  });

  it.each([
    ['entry', { tag: 'entry' }],
    ['quotes/bid/0', {}],
    ['target/', {}],
  ])('names the order of a fill by its tag where it was asked for by itself: %s', (tag, named) => {
    const { orders, events } = resting({}, { tag });
    orders.record(makeRecord({ filledAmount: half }), 'push');
    const [fill] = ofKind(events, 'fill');
    expect({ ...(fill!.fill.tag !== undefined && { tag: fill!.fill.tag }) }).toEqual(named);
  });

  it('has a fill on record with its order before anybody reacts to either', () => {
    const { bus, orders, events } = resting();
    let known: string[] = [];
    bus.on('order').subscribe(() => {
      known = events.map(({ kind }) => kind);
    });
    orders.record(makeRecord({ filledAmount: half }), 'query');
    expect(known).toEqual(['order', 'order', 'order', 'fill']);
  });

  it('folds a fill into the position even while the bus delivers something else', () => {
    const { orders, positions, bus } = resting();
    bus.on('run').subscribe(() => {
      orders.record(makeRecord({ filledAmount: whole, closed: true }), 'push');
      expect(orders.live('btc_usdt')).toHaveLength(0);
      expect(positions.position('btc_usdt').amount.toString()).toBe('0.998');
    });
    bus.publish({ kind: 'run', time: 0, status: 'running', reason: '' });
    expect.assertions(2);
  });
});

describe('OrderLedger.apply, an id of another order', () => {
  it.each([accepted(), newsOf(makeRecord({ filledAmount: whole }), answer)])(
    'leaves an order unknown that is told to be one of ours already, and says so ($kind)',
    (news) => {
      const { lines: warnings, logger } = keptLines();
      const { orders, events } = makeLedgers({ logger });
      for (const clientOrderId of ['tw0001', 'tw0002'])
        orders.create(makePending({ clientOrderId }));
      orders.apply('tw0001', accepted());
      expect(orders.apply('tw0002', news).status).toBe('unknown');
      expect(orders.apply('tw0002', news).status).toBe('unknown');
      expect(warnings).toEqual(Array(2).fill(expect.stringContaining('1 is tw0001')));
      expect(orders.byExchangeOrderId('1')?.clientOrderId).toBe('tw0001');
      expect(events.map(({ kind }) => kind)).toEqual(Array(4).fill('order'));
      expect(orders.apply('tw0002', accepted('2')).status).toBe('open');
    },
  );
});

describe('OrderLedger.record', () => {
  it('keeps a push that comes before the answer aside and hands it on', () => {
    const { orders, events } = pending();
    expect(orders.record(makeRecord({ filledAmount: half }), 'push')).toBeUndefined();
    expect(orders.foreign.of('btc_usdt')).toEqual([]);
    expect(orders.apply('tw0001', accepted())).toMatchObject({ status: 'open', filledAmount: 0.5 });
    expect(ofKind(events, 'fill').map(({ fill }) => fill.amount)).toEqual([0.5]);
    expect(orders.byExchangeOrderId('1')?.evidence).toBe('push');
  });

  it('keeps the fullest of several pushes, whatever their order', () => {
    const { orders } = pending();
    orders.record(makeRecord({ filledAmount: half, closed: true }), 'push');
    orders.record(makeRecord({ filledAmount: 0.25 as Amount }), 'push');
    orders.record(makeRecord({ filledAmount: 0 as Amount }), 'push');
    expect(orders.apply('tw0001', accepted())).toMatchObject({
      status: 'cancelled',
      filledAmount: 0.5,
    });
  });

  it('hands on what was called foreign when an answer names it after all', () => {
    const { orders } = makeLedgers();
    orders.record(makeRecord({ filledAmount: half }), 'push');
    expect(orders.foreign.of('btc_usdt')).toHaveLength(1);
    orders.create(makePending());
    expect(orders.apply('tw0001', accepted()).filledAmount).toBe(0.5);
    expect(orders.foreign.of('btc_usdt')).toHaveLength(0);
  });

  it('folds an answer after the fill without a second fill', () => {
    const { orders, events } = pending();
    const record = makeRecord({ filledAmount: whole, closed: true });
    orders.record(record, 'push');
    orders.apply('tw0001', accepted());
    orders.record(record, 'query');
    expect(ofKind(events, 'fill')).toHaveLength(1);
  });

  it('calls what nobody can claim any more foreign, and forgets it when it closes', () => {
    const { orders } = pending();
    orders.record(makeRecord({ exchangeOrderId: '9' }), 'push');
    orders.record(makeRecord({ exchangeOrderId: '8', closed: true }), 'push');
    orders.apply('tw0001', accepted());
    const ids = () => orders.foreign.of('btc_usdt').map((record) => record.exchangeOrderId);
    expect(ids()).toEqual(['9']);
    orders.record(makeRecord({ exchangeOrderId: '9', closed: true }), 'push');
    expect(ids()).toEqual([]);
  });
});

describe('OrderLedger.allLive', () => {
  it('holds the newest state of every live order, in lists that later changes leave alone', () => {
    const { orders } = pending();
    const before = orders.allLive();
    const states = () => orders.allLive().map(({ status }) => status);
    orders.create(makePending({ clientOrderId: 'tw0002', market: 'eth_usdt' }));
    expect(states()).toEqual(['pending', 'pending']);
    orders.apply('tw0001', accepted());
    expect(states()).toEqual(['open', 'pending']);
    orders.record(makeRecord({ closed: true }), 'push');
    expect(states()).toEqual(['pending']);
    expect(before).toMatchObject([{ clientOrderId: 'tw0001', status: 'pending' }]);
  });
});

describe('OrderLedger.record, what is kept aside', () => {
  it('waits as long as an unknown order has no id', () => {
    const { orders } = pending();
    orders.apply('tw0001', lost);
    orders.record(makeRecord(), 'push');
    expect(orders.foreign.of('btc_usdt')).toHaveLength(0);
    orders.apply('tw0001', { kind: 'rejected', reason: 'poor', code: 2009, ...answer });
    expect(orders.foreign.of('btc_usdt')).toHaveLength(1);
  });

  it('is not foreign any more where a reading tells that it is over', () => {
    const { orders } = pending();
    orders.apply('tw0001', lost);
    orders.record(makeRecord(), 'push');
    orders.reclaim(makeRecord({ closed: true, filledAmount: whole }), 'query');
    orders.apply('tw0001', { kind: 'rejected', reason: 'poor', code: 2009, ...answer });
    expect(orders.foreign.of('btc_usdt')).toEqual([]);
  });

  it('waits for the last of several orders that have no id', () => {
    const { orders } = makeLedgers();
    for (const clientOrderId of ['tw0001', 'tw0002']) orders.create(makePending({ clientOrderId }));
    orders.record(makeRecord({ filledAmount: whole, closed: true }), 'push');
    orders.apply('tw0002', accepted('2'));
    expect(orders.apply('tw0001', accepted()).status).toBe('filled');
  });

  it('does not wait for orders of other markets', () => {
    const { orders } = pending({}, { market: 'eth_usdt' });
    orders.record(makeRecord(), 'push');
    expect(orders.foreign.of('btc_usdt')).toHaveLength(1);
  });

  it('is bounded: the oldest of a flood counts as foreign', () => {
    const { orders } = pending();
    for (let id = 1; id <= 1_010; id++) {
      orders.record(makeRecord({ exchangeOrderId: `${id}` }), 'push');
    }
    expect(orders.foreign.of('btc_usdt').map((record) => record.exchangeOrderId)).toContain('10');
    expect(orders.foreign.of('btc_usdt')).toHaveLength(10);
  });

  it('is replaced by a full read, but for what is ours', () => {
    const { orders } = resting();
    orders.record(makeRecord({ exchangeOrderId: '9' }), 'push');
    orders.resetForeign('btc_usdt', [makeRecord(), makeRecord({ exchangeOrderId: '7' })]);
    expect(orders.foreign.of('btc_usdt').map((record) => record.exchangeOrderId)).toEqual(['7']);
  });
});

describe('OrderLedger.record, what is foreign', () => {
  const ids = ({ orders }: ReturnType<typeof makeLedgers>) =>
    orders.foreign.of('btc_usdt').map((record) => record.exchangeOrderId);

  it('is none after a full read that names none', () => {
    const ledgers = makeLedgers();
    ledgers.orders.record(makeRecord(), 'push');
    expect(ids(ledgers)).toEqual(['1']);
    ledgers.orders.resetForeign('btc_usdt', []);
    expect(ids(ledgers)).toEqual([]);
  });

  it('takes no news for newer that tell of less', () => {
    const { orders } = makeLedgers();
    const fee = Decimal.of('0.001');
    const filled = () =>
      orders.foreign.of('btc_usdt').map((record) => [record.filledAmount, record.fee?.toString()]);
    orders.record(makeRecord({ filledAmount: half, fee }), 'push');
    orders.record(makeRecord(), 'push');
    orders.record(makeRecord({ filledAmount: half }), 'push');
    expect(filled()).toEqual([[0.5, '0.001']]);
    // A read counts as well; the fee of more fills is not that of fewer.
    orders.reclaim(makeRecord({ filledAmount: 0.75 as Amount }), 'query');
    expect(filled()).toEqual([[0.75, undefined]]);
  });

  it('is none while it may be of an order that has no id yet, and stays over once it was', () => {
    const ledgers = makeLedgers();
    const { orders } = ledgers;
    orders.record(makeRecord({ filledAmount: half }), 'push');
    orders.create(makePending());
    orders.record(makeRecord(), 'push');
    orders.record(makeRecord({ exchangeOrderId: '9' }), 'push');
    expect(ids(ledgers)).toEqual([]);
    expect(orders.apply('tw0001', accepted()).filledAmount).toBe(0.5);
    expect(ids(ledgers)).toEqual(['9']);
    orders.record(makeRecord({ exchangeOrderId: '9', closed: true }), 'push');
    orders.record(makeRecord({ filledAmount: whole, closed: true }), 'push');
    expect(ids(ledgers)).toEqual([]);
  });

  it('is known by when it was over', () => {
    const { orders, clock } = makeLedgers();
    orders.record(makeRecord(), 'push');
    clock.advanceBy(5);
    expect(orders.foreign.overMs('1')).toBeUndefined();
    orders.record(makeRecord({ closed: true }), 'push');
    expect(orders.foreign.overMs('1')).toBe(5);
  });
});

describe('OrderLedger fills', () => {
  function fillOf(record: Partial<OrderRecord>, order: Parameters<typeof makePending>[0] = {}) {
    const { orders, events } = resting({ maker: 0.001, taker: 0.002 }, order);
    orders.record(makeRecord(record), 'push');
    return ofKind(events, 'fill')[0]?.fill;
  }

  it('charge a buy in the base and a sell in the quote currency, rounded up at 8 places', () => {
    const buy = fillOf({ filledAmount: 0.0003 as Amount });
    expect([buy?.fee.toString(), buy?.feeCurrency]).toEqual(['0.0000003', 'btc']);
    const price = 33.33 as Price;
    const sold = { side: 'sell', price } as const;
    const sell = fillOf({ filledAmount: 0.0001 as Amount, ...sold }, sold);
    expect([sell?.fee.toString(), sell?.feeCurrency]).toEqual(['0.00000334', 'usdt']);
  });

  it('count as taken for IOC and at a price better than the own, as made for post-only', () => {
    const filledAmount = whole;
    const better = { filledAmount, filledValue: Decimal.of(99) };
    expect(fillOf({ filledAmount })?.fee.toString()).toBe('0.001');
    expect(fillOf(better)?.fee.toString()).toBe('0.002');
    expect(fillOf({ filledAmount }, { type: 'ioc' })?.fee.toString()).toBe('0.002');
    expect(fillOf(better, { type: 'postOnly' })?.fee.toString()).toBe('0.001');
  });

  it('bear the fee that the exchange tells, each its growth, whatever the rates say', () => {
    const { orders, events } = resting({ maker: 0.001, taker: 0.002 });
    const told = (record: Partial<OrderRecord>) => orders.record(makeRecord(record), 'push');
    told({ filledAmount: 0.25 as Amount, fee: Decimal.of('0.0004') });
    told({ filledAmount: half, fee: Decimal.of('0.0009') });
    told({ filledAmount: 0.75 as Amount });
    told({ filledAmount: whole, fee: Decimal.of('0.0021') });
    const fees = ofKind(events, 'fill').map(({ fill }) => fill.fee.toString());
    // If it is not told for both states the rate decides: 0.25 at 0.1 %.
    expect(fees).toEqual(['0.0004', '0.0005', '0.00025', '0.00025']);
  });

  it('never bear less than nothing where the fee told shrinks', () => {
    const { orders, events } = resting({ maker: 0.001, taker: 0.002 });
    orders.record(makeRecord({ filledAmount: half, fee: Decimal.of('0.0009') }), 'push');
    orders.record(makeRecord({ filledAmount: whole, fee: Decimal.ZERO }), 'query');
    expect(ofKind(events, 'fill').map(({ fill }) => fill.fee.toString())).toEqual([
      '0.0009',
      '0.0005',
    ]);
  });

  it('are worth the growth of the filled value', () => {
    const fill = fillOf({ filledAmount: half, filledValue: Decimal.of('49.5') });
    expect([fill?.value.toString(), fill?.price]).toEqual(['49.5', 99]);
  });

  it('are worth the amount at the own price where the value did not grow', () => {
    const fill = fillOf({ filledAmount: half, filledValue: Decimal.ZERO });
    expect([fill?.value.toString(), fill?.price]).toEqual(['50', 100]);
  });

  it('are worth the growth alone at that price', () => {
    const { orders, events } = resting();
    const filledValue = Decimal.of('24.75');
    for (const filledAmount of [0.25, 1] as Amount[]) {
      orders.record(makeRecord({ filledAmount, filledValue }), 'push');
    }
    expect(ofKind(events, 'fill').map(({ fill }) => `${fill.value}`)).toEqual(['24.75', '75']);
  });
});

describe('OrderLedger fills, in the first answer', () => {
  it('count as taken in the answer that tells of the order first', () => {
    const { orders, events } = pending({ maker: 0.001, taker: 0.002 });
    const record = makeRecord({ filledAmount: whole, closed: true });
    orders.apply('tw0001', newsOf(record, answer));
    expect(ofKind(events, 'fill').map(({ fill }) => `${fill.fee}`)).toEqual(['0.002']);
  });
});

describe('OrderLedger lists', () => {
  it('keep the order of creation through every change', () => {
    const { orders } = makeLedgers();
    for (const id of ['tw01', 'tw02', 'tw03']) orders.create(makePending({ clientOrderId: id }));
    orders.apply('tw01', accepted('1'));
    orders.apply('tw03', lost);
    const ids = () => orders.live('btc_usdt').map((order) => order.clientOrderId);
    expect(ids()).toEqual(['tw01', 'tw02', 'tw03']);
    orders.record(makeRecord({ closed: true }), 'push');
    expect(ids()).toEqual(['tw02', 'tw03']);
    expect([...orders.allLive()]).toHaveLength(2);
    expect([orders.liveCount, orders.unknownCount]).toEqual([2, 1]);
  });

  it('are the same object until something changes, and left alone by later changes', () => {
    const { orders } = pending();
    const list = orders.live('btc_usdt');
    expect(orders.live('btc_usdt')).toBe(list);
    orders.apply('tw0001', accepted());
    expect(orders.live('btc_usdt')).not.toBe(list);
    expect(list[0]?.status).toBe('pending');
  });

  it('tell the strategies apart', () => {
    const { orders } = pending();
    orders.create(makePending({ clientOrderId: 'tw0002', strategy: 'other' }));
    expect(orders.liveOf('other', 'btc_usdt').map((order) => order.clientOrderId)).toEqual([
      'tw0002',
    ]);
    expect(orders.liveOf('nobody', 'btc_usdt')).toEqual([]);
    expect(orders.live('eth_usdt')).toEqual([]);
  });

  it('count unknown orders in and out', () => {
    const { orders } = pending();
    orders.apply('tw0001', lost);
    expect(orders.unknownCount).toBe(1);
    orders.apply('tw0001', accepted());
    expect(orders.unknownCount).toBe(0);
  });
});

describe('OrderLedger.adopt', () => {
  it('makes a foreign order ours, without a fill for what it had filled before', () => {
    const { orders, events } = makeLedgers();
    orders.record(makeRecord({ filledAmount: half }), 'query');
    const order = orders.adopt(makeRecord({ filledAmount: half }), 'adopt1');
    expect(ofKind(events, 'order').map((event) => event.order)).toEqual([order]);
    expect(order).toMatchObject({ status: 'open', strategy: ADOPTED, filledAmount: 0.5 });
    expect(orders.foreign.of('btc_usdt')).toEqual([]);
    orders.record(makeRecord({ filledAmount: whole, closed: true }), 'push');
    expect(ofKind(events, 'fill').map(({ fill }) => fill.amount)).toEqual([0.5]);
  });

  it('refuses what is closed or ours already', () => {
    const { orders } = makeLedgers();
    expect(() => orders.adopt(makeRecord({ closed: true }), 'adopt1')).toThrow(/it is closed/);
    orders.adopt(makeRecord(), 'adopt1');
    expect(() => orders.adopt(makeRecord(), 'adopt2')).toThrow(/already ours/);
  });

  it('leaves a fee unknown that nobody told for what it had filled before', () => {
    const { orders } = makeLedgers();
    orders.adopt(makeRecord({ filledAmount: half }), 'adopt1');
    orders.record(makeRecord({ filledAmount: whole, closed: true }), 'push');
    expect(orders.get('adopt1')).toMatchObject({ status: 'filled', fee: undefined });
  });

  it('refuses an id that was used before, as a restored order does', () => {
    const { orders } = pending();
    expect(() => orders.adopt(makeRecord(), 'tw0001')).toThrow(/id is taken/);
    expect(() => orders.restore(makePending())).toThrow(/id is taken/);
  });
});

describe('OrderLedger.restore', () => {
  it('takes an order up as it was, publishes nothing and counts no old fill again', () => {
    const { orders, positions, events } = makeLedgers();
    const value = { filledAmount: half, filledValue: Decimal.of(50) };
    orders.restore({ ...makePending(value), status: 'open', exchangeOrderId: '1' });
    expect(events).toEqual([]);
    orders.record(makeRecord({ filledAmount: half }), 'query');
    expect(events).toEqual([]);
    expect(positions.position('btc_usdt').amount.sign).toBe(0);
    expect(orders.byExchangeOrderId('1')?.clientOrderId).toBe('tw0001');
  });
});

describe('OrderLedger memory', () => {
  it.each([
    ['as many as are set', 3],
    ['4096 where nothing is', undefined],
  ])(
    'forgets all but the newest final orders, whose late news it absorbs: %s',
    (_, finalOrdersMax) => {
      const { orders } = makeLedgers({ ...(finalOrdersMax && { finalOrdersMax }) });
      const kept = finalOrdersMax ?? 4_096;
      const ids = Array.from({ length: kept + 7 }, (_, at) => at + 1);
      for (const id of ids) {
        orders.create(makePending({ clientOrderId: `tw0${id}` }));
        orders.apply(`tw0${id}`, accepted(`${id}`));
        orders.record(makeRecord({ exchangeOrderId: `${id}`, closed: true }), 'push');
      }
      expect(ids.filter((id) => orders.get(`tw0${id}`) !== undefined)).toHaveLength(kept);
      expect(orders.byExchangeOrderId('7')).toBeUndefined();
      expect(orders.record(makeRecord({ exchangeOrderId: '8' }), 'push')?.status).toBe('cancelled');
      expect(orders.foreign.of('btc_usdt')).toEqual([]);
    },
  );

  it('keeps four times as many beyond them whose fee is in doubt, the newest', () => {
    const { orders } = makeLedgers({ finalOrdersMax: 2, maker: 0, taker: 0.001 });
    const filledAmount = 1 as Amount;
    const type = (id: number) => (id % 2 === 0 ? 'limit' : 'postOnly');
    const ids = Array.from({ length: 30 }, (_, at) => at + 1);
    for (const id of ids) {
      const exchangeOrderId = `${id}`;
      orders.create(makePending({ clientOrderId: `tw0${id}`, type: type(id) }));
      orders.apply(`tw0${id}`, accepted(exchangeOrderId));
      orders.record(makeRecord({ exchangeOrderId, filledAmount }), 'push');
    }
    const isKnown = (id: number) => orders.get(`tw0${id}`) !== undefined;
    expect(ids.filter(isKnown)).toEqual([14, 16, 18, 20, 22, 24, 26, 28, 29, 30]);
    expect(orders.byExchangeOrderId('12')).toBeUndefined();
    const told = makeRecord({ exchangeOrderId: '14', filledAmount, fee: Decimal.of('0.001') });
    expect(orders.record(told, 'query')?.guessedFee).toBeUndefined();
  });
});
