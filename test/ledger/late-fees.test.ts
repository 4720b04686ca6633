import { describe, expect, it } from 'vitest';
import type { Amount, OrderRecord } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { makeLedgers } from './fixture.ts';

const half = 0.5 as Amount;
const whole = 1 as Amount;
const fee = Decimal.of;

/** A resting order, in ledgers that guess 0.001 for a maker and 0.002 for a taker. */
function resting(terms: Parameters<typeof makePending>[0] = {}) {
  const ledgers = makeLedgers({ maker: 0.001, taker: 0.002 });
  const { orders, positions, events } = ledgers;
  orders.create(makePending(terms));
  const id = { time: 1, evidence: 'answer', exchangeOrderId: '1' } as const;
  orders.apply('tw0001', { kind: 'accepted', ...id });
  const { side = 'buy' } = terms;
  return {
    ...ledgers,
    push: (record: Partial<OrderRecord>) => orders.record(makeRecord({ side, ...record }), 'push'),
    read: (record: Partial<OrderRecord>) => orders.record(makeRecord({ side, ...record }), 'query'),
    /** Fees as they were booked: with fills, and later. */
    booked: () => [
      ofKind(events, 'fill').map(({ fill }) => `${fill.fee}`),
      ofKind(events, 'lateFee').map(({ lateFee }) => `${lateFee.fee}`),
    ],
    held: () => `${positions.position('btc_usdt').amount}`,
    state: () => orders.get('tw0001')!,
  };
}

describe('a fee that is told later than its fill', () => {
  it('is booked as the difference, once, however often it is told', () => {
    const { push, read, booked, held } = resting();
    push({ filledAmount: half });
    expect([booked(), held()]).toEqual([[['0.0005'], []], '0.4995']);
    for (let times = 0; times < 3; times++) {
      read({ filledAmount: half, fee: fee('0.001') });
      push({ filledAmount: half });
    }
    expect([booked(), held()]).toEqual([[['0.0005'], ['0.0005']], '0.499']);
  });

  it('lessens the position and its cost, and is a fee at the price of its fills', () => {
    const { push, read, positions, events } = resting();
    push({ filledAmount: whole });
    read({ filledAmount: whole, closed: true, fee: fee('0.002') });
    const told = resting();
    told.push({ filledAmount: whole, fee: fee('0.002') });
    const text = (position: object) => JSON.stringify(position);
    expect(text(positions.position('btc_usdt'))).toBe(text(told.positions.position('btc_usdt')));
    expect(ofKind(events, 'position').map(({ position }) => `${position.amount}`)).toEqual([
      '0.999',
      '0.998',
    ]);
    expect(ofKind(events, 'lateFee')[0]).toMatchObject({
      market: 'btc_usdt',
      lateFee: { strategy: 'maker', clientOrderId: 'tw0001', side: 'buy', feeCurrency: 'btc' },
    });
    expect(`${ofKind(events, 'lateFee')[0]?.lateFee.value}`).toBe('0.1');
  });

  it('has the worth of a share of the value, also where the mean price does not end', () => {
    const { push, read, positions, events } = resting();
    const filled = { filledAmount: 0.7 as Amount, filledValue: fee('64.1234') };
    push(filled);
    read({ ...filled, closed: true, fee: fee('0.0021') });
    expect(`${ofKind(events, 'lateFee')[0]?.lateFee.value}`).toBe('0.0641234');
    expect(`${positions.position('btc_usdt').fees}`).toBe('0.1923702');
  });
});

describe('a fee that is told later', () => {
  it('may be less than what was guessed', () => {
    const { push, read, booked, held } = resting({ side: 'sell' });
    push({ filledAmount: whole });
    read({ filledAmount: whole, fee: fee('0.04') });
    expect([booked(), held()]).toEqual([[['0.1'], ['-0.06']], '-1']);
  });

  it('may be less than the first of several guesses', () => {
    const { push, read, booked, held } = resting();
    push({ filledAmount: half });
    push({ filledAmount: whole });
    read({ filledAmount: whole, fee: fee('0.0004') });
    expect([booked(), held()]).toEqual([[['0.0005', '0.0005'], ['-0.0006']], '0.9996']);
  });

  it('corrects what was guessed before, not the fill that it comes with', () => {
    const { push, booked, held } = resting();
    push({ filledAmount: half });
    push({ filledAmount: whole, fee: fee('0.003') });
    expect([booked(), held()]).toEqual([[['0.0005', '0.0005'], ['0.002']], '0.997']);
  });

  it('is told of an order that is over, and changes neither its end nor when that came', () => {
    const { clock, push, read, booked, state, orders } = resting();
    push({ filledAmount: half });
    push({ filledAmount: half, closed: true });
    const before = state();
    clock.advanceBy(5_000);
    read({ filledAmount: half, closed: true, fee: fee('0.001') });
    expect(booked()).toEqual([['0.0005'], ['0.0005']]);
    const { status, changedTime, evidence } = state();
    expect(status).toBe('cancelled');
    expect(changedTime).toBe(before.changedTime);
    // A read has now confirmed what a push told.
    expect(evidence).toBe('query');
    expect(orders.liveCount).toBe(0);
  });

  it('leaves an end that was answered on that word, where a push tells the fee behind it', () => {
    const { orders, push, state } = resting();
    const filled = { filledAmount: half, filledValue: Decimal.of(50), closed: true };
    const news = { kind: 'record', exchangeOrderId: '1', ...filled } as const;
    orders.apply('tw0001', { ...news, time: 2, evidence: 'answer' });
    expect(state().guessedFee).toBeDefined();
    push({ filledAmount: half, closed: true, fee: fee('0.001') });
    expect(state()).toMatchObject({ evidence: 'answer', status: 'cancelled' });
    expect(state().guessedFee).toBeUndefined();
  });

  it('books nothing where the guess was right, and leaves no doubt', () => {
    const { orders, push, read, booked, state } = resting();
    push({ filledAmount: half });
    expect(orders.isFeeInDoubt(state())).toBe(true);
    read({ filledAmount: half, fee: fee('0.0005') });
    expect(booked()).toEqual([['0.0005'], []]);
    expect(orders.isFeeInDoubt(state())).toBe(false);
  });
});

describe('a fee that is told', () => {
  it('is not that of fewer fills, nor of another order, nor less than was told before', () => {
    const { push, read, booked } = resting();
    push({ filledAmount: half, fee: fee('0.0009') });
    push({ filledAmount: whole });
    read({ filledAmount: half, fee: fee('0.0009') });
    read({ filledAmount: whole, exchangeOrderId: '2', fee: fee('0.3') });
    read({ filledAmount: whole, fee: fee('0.0008') });
    expect(booked()).toEqual([['0.0009', '0.0005'], []]);
    read({ filledAmount: whole, fee: fee('0.0019') });
    read({ filledAmount: whole, fee: fee('0.0018') });
    expect(booked()).toEqual([['0.0009', '0.0005'], ['0.0005']]);
  });

  it('takes the place of a lesser one that was told for the same fills', () => {
    const { push, read, booked } = resting();
    push({ filledAmount: half, fee: Decimal.ZERO });
    read({ filledAmount: half, fee: fee('0.001') });
    expect(booked()).toEqual([['0'], ['0.001']]);
  });

  it('is kept when a push without it follows before the order is known', () => {
    const { orders, events } = makeLedgers({ maker: 0.001, taker: 0.002 });
    orders.create(makePending());
    orders.record(makeRecord({ filledAmount: half, fee: fee('0.0007') }), 'push');
    orders.record(makeRecord({ filledAmount: half }), 'push');
    const id = { time: 1, evidence: 'answer', exchangeOrderId: '1' } as const;
    orders.apply('tw0001', { kind: 'accepted', ...id });
    expect(ofKind(events, 'fill').map(({ fill }) => `${fill.fee}`)).toEqual(['0.0007']);
  });

  it('tells of an adopted order only what came to it since', () => {
    const { orders, events } = makeLedgers({ maker: 0.001, taker: 0.002 });
    orders.adopt(makeRecord({ filledAmount: half }), 'tw0009');
    orders.record(makeRecord({ filledAmount: half, fee: fee('0.001') }), 'query');
    orders.record(makeRecord({ filledAmount: whole, fee: fee('0.0015') }), 'query');
    expect(ofKind(events, 'fill').map(({ fill }) => `${fill.fee}`)).toEqual(['0.0005']);
    expect(ofKind(events, 'lateFee')).toEqual([]);
  });
});

describe('OrderLedger.isFeeInDoubt', () => {
  const inDoubt = (rates: { maker: number; taker: number }, type: OrderRecord['type']) => {
    const { orders } = makeLedgers(rates);
    orders.create(makePending({ type }));
    const order = orders.record(makeRecord({ type, filledAmount: half }), 'push');
    expect(order).toBeUndefined();
    const id = { time: 1, evidence: 'answer', exchangeOrderId: '1' } as const;
    return orders.isFeeInDoubt(orders.apply('tw0001', { kind: 'accepted', ...id }));
  };

  it('is so where only the exchange knows whether an order took or rested', () => {
    expect(inDoubt({ maker: 0, taker: 0.001 }, 'limit')).toBe(true);
    expect(inDoubt({ maker: 0, taker: 0.001 }, 'ioc')).toBe(false);
    expect(inDoubt({ maker: 0, taker: 0.001 }, 'postOnly')).toBe(false);
    expect(inDoubt({ maker: 0.001, taker: 0.001 }, 'limit')).toBe(false);
  });
});
