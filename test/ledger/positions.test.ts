import { describe, expect, it } from 'vitest';
import type { Amount } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { makeFill, makeMarket, makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { makeLedgers, makePositions } from './fixture.ts';

describe('PositionLedger', () => {
  it('holds the position of each strategy and of all together', () => {
    const { bookings, positions } = makePositions();
    bookings.next(makeFill());
    bookings.next(makeFill({ strategy: 'other', side: 'sell', amount: 3 as Amount, price: 110 }));
    const amounts = [undefined, 'maker', 'other', 'nobody'].map((strategy) =>
      positions.position('btc_usdt', strategy).amount.toString(),
    );
    expect(amounts).toEqual(['-2', '1', '-3', '0']);
  });

  it('is the same object until it changes', () => {
    const { bookings, positions } = makePositions();
    expect(positions.position('btc_usdt')).toBe(positions.position('btc_usdt', 'maker'));
    bookings.next(makeFill());
    const position = positions.position('btc_usdt');
    expect(positions.position('btc_usdt')).toBe(position);
    bookings.next(makeFill());
    expect(positions.position('btc_usdt')).not.toBe(position);
  });

  it('publishes the position of the strategy right after its fill', () => {
    const { orders, events } = makeLedgers();
    orders.create(makePending());
    orders.apply('tw0001', { kind: 'accepted', exchangeOrderId: '1', time: 1, evidence: 'answer' });
    orders.record(makeRecord({ filledAmount: 1 as Amount, closed: true }), 'push');
    expect(events.map((event) => event.kind).slice(-2)).toEqual(['fill', 'position']);
    const [event] = ofKind(events, 'position');
    expect(event?.strategy).toBe('maker');
    expect(event?.position.amount.toString()).toBe('0.998');
  });

  it('tells the profit at a price', () => {
    const { bookings, positions } = makePositions();
    bookings.next(makeFill({ side: 'sell', fee: Decimal.of('0.5') }));
    const { realized, unrealized, fees, net } = positions.profit('btc_usdt', 90.5);
    expect([realized, unrealized, fees, net].map(String)).toEqual(['0', '9.5', '0.5', '9']);
    expect(positions.profit('btc_usdt', Decimal.of('90.5')).net.equals(net)).toBe(true);
  });
});

describe('PositionLedger, what it takes up', () => {
  it('restores a fill without publishing it', () => {
    const { bus, positions } = makePositions();
    let count = 0;
    bus.record(() => count++);
    positions.restore(makeFill());
    expect(positions.position('btc_usdt', 'maker').amount.toString()).toBe('1');
    expect(positions.tradedMarkets()).toEqual(['btc_usdt']);
    expect(count).toBe(0);
  });

  it('takes up what a market held, in all and of each strategy', () => {
    const [former, { positions }] = [makePositions(), makePositions()];
    former.positions.restore(makeFill());
    former.positions.restore(makeFill({ strategy: 'other' }));
    for (const held of former.positions.held()) positions.restoreHeld(held);
    expect(positions.held()).toEqual(former.positions.held());
    expect(`${positions.position('btc_usdt', 'other').amount}`).toBe('1');
    expect(positions.tradedMarkets()).toEqual(['btc_usdt']);
  });

  it('names a market once that is restored anew', () => {
    const { positions } = makePositions();
    positions.restore(makeFill());
    for (const held of positions.held()) positions.restoreHeld(held);
    expect(positions.tradedMarkets()).toEqual(['btc_usdt']);
  });

  it('restores fills of before the exchange made amounts coarser', () => {
    const { positions } = makePositions([makeMarket({ amountScale: 3 })]);
    positions.restore(makeFill({ amount: 0.0172 as Amount }));
    positions.restore(makeFill({ amount: 0.0001 as Amount, side: 'sell' }));
    expect(`${positions.position('btc_usdt').amount}`).toBe('0.0171');
  });

  it('refuses a fill of a market that is not known', () => {
    const { positions } = makePositions();
    expect(() => positions.restore(makeFill({ market: 'x_y' }))).toThrow(/x_y is not known/);
  });
});
