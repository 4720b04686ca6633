import { describe, expect, it } from 'vitest';
import {
  type Amount,
  newsOf,
  type OrderNews,
  type OrderRecord,
  type Price,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { makeMarket, makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { keptLines } from '../kernel/fixture.ts';
import { type LedgerOptions, makeLedgers } from './fixture.ts';

const none = 0 as Amount;
const half = 0.5 as Amount;
const dusty = (0.1 + 0.2) as Amount;
const id = { exchangeOrderId: '1', time: 1, evidence: 'answer' } as const;

/** A resting order, the news of it, and the warnings. */
function resting(
  options: LedgerOptions & { readonly order?: Parameters<typeof makePending>[0] } = {},
) {
  const { lines: warnings, logger } = keptLines();
  const ledgers = makeLedgers({ logger, ...options });
  const { orders, events, positions } = ledgers;
  orders.create(makePending(options.order));
  orders.apply('tw0001', { kind: 'accepted', ...id });
  return {
    ...ledgers,
    warnings,
    told: (fields: Partial<OrderRecord>) => orders.record(makeRecord(fields), 'query'),
    fills: () => ofKind(events, 'fill').map(({ fill }) => fill),
    held: () => `${positions.position('btc_usdt').amount}`,
  };
}

describe('OrderLedger, amounts that were summed up in doubles', () => {
  it('are on scale in orders and fills, and a growth of nothing is none', () => {
    const { told, fills } = resting();
    told({ filledAmount: 0.3 as Amount });
    expect(told({ filledAmount: dusty })?.filledAmount).toBe(0.3);
    expect(told({ filledAmount: dusty, fee: Decimal.of('0.0006'), closed: true })).toMatchObject({
      status: 'cancelled',
      filledAmount: 0.3,
    });
    expect(fills().map(({ amount }) => amount)).toEqual([0.3]);
  });

  it('fill an order that is told a hair short of it', () => {
    const { told, fills } = resting();
    const short = 0.9999999999999999 as Amount;
    expect(told({ filledAmount: short, closed: true })).toMatchObject({
      status: 'filled',
      filledAmount: 1,
    });
    expect(fills().map(({ amount }) => amount)).toEqual([1]);
  });

  it('are on scale in the answer to a cancel, and where a record came before its order', () => {
    const { orders } = makeLedgers();
    orders.create(makePending());
    orders.record(makeRecord({ filledAmount: dusty }), 'push');
    expect(orders.apply('tw0001', { kind: 'accepted', ...id }).filledAmount).toBe(0.3);
    const totals = { filledAmount: dusty, filledValue: Decimal.of(30), closed: true };
    const ended = orders.apply('tw0001', { kind: 'record', ...id, ...totals });
    expect(ended).toMatchObject({ status: 'cancelled', filledAmount: 0.3 });
  });

  it('are on scale in foreign orders and in those that are adopted', () => {
    const { orders } = makeLedgers();
    const record = makeRecord({ price: dusty as unknown as Price, amount: dusty });
    orders.record(record, 'push');
    expect(orders.foreign.of('btc_usdt')).toMatchObject([{ price: 0.3, amount: 0.3 }]);
    orders.resetForeign('btc_usdt', [record]);
    expect(orders.foreign.of('btc_usdt')).toMatchObject([{ price: 0.3, amount: 0.3 }]);
    expect(orders.adopt(record, 'tw0009')).toMatchObject({ price: 0.3, amount: 0.3 });
  });
});

describe('OrderLedger, an order of before the exchange made amounts coarser', () => {
  it('fills to the last digit of its own scale', () => {
    const coarse = makeMarket({ amountScale: 2, priceScale: 1 });
    const price = 100.25 as Price;
    const order = { amount: 0.0172 as Amount, price };
    const { told, fills, held } = resting({ markets: [coarse], order });
    told({ ...order, filledAmount: 0.0086 as Amount, filledValue: Decimal.ZERO });
    expect(told({ ...order, filledAmount: 0.0172 as Amount, closed: true })?.status).toBe('filled');
    expect(fills().map(({ amount }) => amount)).toEqual([0.0086, 0.0086]);
    expect(`${fills()[0]!.value}`).toBe('0.86215');
    expect(held()).toBe('0.0171656');
  });
});

describe('OrderLedger, a record that cannot be of the order', () => {
  const lost: OrderNews = { kind: 'lost', reason: 'timed out', time: 1, evidence: 'request' };

  const OTHERS = [
    ['other terms', { price: 101 as Price, filledAmount: 1 as Amount }],
    ['another side', { side: 'sell' as const, filledAmount: 1 as Amount }],
  ] as const;

  it.each([
    ...OTHERS.map(([what, fields]) => [`${what}, of one that has traded`, fields, half] as const),
    [
      'more than its amount',
      { filledAmount: 1.0001 as Amount, filledValue: Decimal.of(100) },
      none,
    ] as const,
  ])('changes nothing, and is warned of once: %s', (_what, fields, filledAmount) => {
    const { told, orders, events, warnings } = resting();
    if (filledAmount > 0) told({ filledAmount });
    orders.apply('tw0001', lost);
    const { length } = events;
    for (const _again of [1, 2, 3]) told({ closed: true, ...fields });
    expect(told({ closed: true, ...fields })?.status).toBe('unknown');
    expect(events).toHaveLength(length);
    expect(warnings).toEqual([expect.stringMatching(/^Cannot believe what is told of an order/)]);
    expect(told({ closed: true, filledAmount })?.status).toBe('cancelled');
  });

  it.each(OTHERS)(
    'takes away the id that was answered, and waits for its order: %s',
    (_, fields) => {
      const { told, orders, warnings } = resting();
      expect(told({ closed: true, ...fields })).toBeUndefined();
      const misnamed = orders.get('tw0001');
      expect(misnamed).toMatchObject({ status: 'unknown', exchangeOrderId: undefined });
      expect(orders.foreign.aside('btc_usdt', '1')).toMatchObject(fields);
      expect(warnings).toEqual([expect.stringMatching(/^Cannot believe what is told of an order/)]);
      const found = makeRecord({ exchangeOrderId: '2' });
      const news = newsOf(found, { time: 2, evidence: 'query' });
      expect(orders.apply('tw0001', news)).toMatchObject({ status: 'open', exchangeOrderId: '2' });
    },
  );

  it('is not taken up when the id is answered that it bears: that is its order still', () => {
    const { lines: warnings, logger } = keptLines();
    const { orders } = makeLedgers({ logger });
    orders.create(makePending());
    orders.record(makeRecord({ amount: 2 as Amount, filledAmount: 2 as Amount }), 'push');
    expect(orders.apply('tw0001', { kind: 'accepted', ...id })).toMatchObject({
      ...{ status: 'unknown', exchangeOrderId: undefined, filledAmount: 0 },
    });
    expect(warnings).toHaveLength(1);
    orders.create(makePending({ clientOrderId: 'tw0002', amount: 2 as Amount }));
    const owner = orders.apply('tw0002', { kind: 'accepted', ...id });
    expect(owner).toMatchObject({ status: 'filled', exchangeOrderId: '1' });
  });

  it('takes away the id from one that ended by it, where a lookup by our id tells it', () => {
    const { told, orders } = resting();
    told({ closed: true });
    orders.create(makePending({ clientOrderId: 'tw0002', price: 99 as Price }));
    const record = makeRecord({ price: 99 as Price });
    orders.apply('tw0002', newsOf(record, { time: 2, evidence: 'query' }));
    expect(orders.get('tw0002')).toMatchObject({ status: 'open', exchangeOrderId: '1' });
    expect(orders.get('tw0001')).toMatchObject({ status: 'unknown', exchangeOrderId: undefined });
  });
});

describe('OrderLedger, an order that was over', () => {
  it('is live again where a read shows that it rests after its end, and is warned of', () => {
    const { told, orders, warnings } = resting();
    told({ closed: true });
    expect([told({})?.status, orders.liveCount]).toEqual(['cancelled', 0]);
    const shown = orders.record(makeRecord(), 'query', { asOfTime: 1 });
    expect(shown).toMatchObject({ status: 'open', exchangeOrderId: '1' });
    expect(orders.live('btc_usdt')).toHaveLength(1);
    expect(warnings).toEqual([
      'an order in btc_usdt that was over by our books is open at the exchange',
    ]);
    expect([told({ closed: true })?.status, orders.liveCount]).toEqual(['cancelled', 0]);
  });
});

describe('OrderLedger, a fee that is told in another unit', () => {
  const half = 0.5 as Amount;
  const fee = (text: string) => ({ filledAmount: half, fee: Decimal.of(text) });

  it('is not believed: the guess by rate stands, and it is warned of once a market', () => {
    const { told, fills, held, warnings, orders } = resting();
    told(fee('0.1'));
    told(fee('0.1'));
    expect([`${fills()[0]!.fee}`, held()]).toEqual(['0.001', '0.499']);
    expect(orders.get('tw0001')?.guessedFee?.toString()).toBe('0.001');
    expect(warnings).toEqual([
      expect.stringMatching(/^Cannot believe a fee of btc_usdt: it is 0.1, at most 0.01 btc is/),
    ]);
    told(fee('0.0008'));
    expect(held()).toBe('0.4992');
  });

  it.each([
    ['ten times the usual rate where none is configured', 0, '0.01', '0.01000001'],
    ['ten times the dearer rate', 0.005, '0.025', '0.02500001'],
  ])('is one of more than %s', (_what, taker, most, more) => {
    expect(resting({ maker: 0, taker }).told(fee(most))?.guessedFee).toBeUndefined();
    expect(resting({ maker: 0, taker }).told(fee(more))?.guessedFee).toBeDefined();
  });

  it('is measured by the value where fees are charged in the quote currency', () => {
    const sold = { order: { side: 'sell' } } as const;
    const told = (text: string) => resting(sold).told({ side: 'sell', ...fee(text) })?.guessedFee;
    expect([told('1'), told('1.1')?.toString()]).toEqual([undefined, '0.1']);
  });

  it('may be all that is taken of what is no more than a least order', () => {
    const order = { amount: 0.01 as Amount };
    const least = makeMarket({ minAmount: 0.001, minSize: 0 });
    const told = (filledAmount: number, text: string, side: 'buy' | 'sell' = 'buy') => {
      const news = { ...order, side, filledAmount: filledAmount as Amount, fee: Decimal.of(text) };
      return resting({ markets: [least], order: { ...order, side } }).told(news)?.guessedFee;
    };
    expect([told(0.0005, '0.0005'), told(0.005, '0.001')]).toEqual([undefined, undefined]);
    expect([told(0.0005, '0.0005001'), told(0.005, '0.001001')].map(String)).not.toContain(
      'undefined',
    );
    expect(told(0.005, '0.1', 'sell')).toBeUndefined();
    expect(told(0.005, '0.10001', 'sell')).toBeDefined();
  });

  it('may be a step of the amount, or of the least value, where that is more', () => {
    const whole = makeMarket({ amountScale: 0, minAmount: 0, minSize: 0 });
    const order = { amount: 20 as Amount };
    const told = (market: typeof whole, text: string) => {
      const news = { ...order, filledAmount: 10 as Amount, fee: Decimal.of(text) };
      return resting({ markets: [market], order }).told(news)?.guessedFee;
    };
    expect([told(whole, '1'), told(whole, '1.1')?.toString()]).toEqual([undefined, '0.02']);
    const valued = { ...whole, minSize: 150 };
    expect([told(valued, '2'), told(valued, '2.1')?.toString()]).toEqual([undefined, '0.02']);
  });

  it('may be the least that there is, of the least that trades', () => {
    const order = { amount: 0.00000001 as Amount };
    const { told } = resting({ markets: [makeMarket({ amountScale: 8 })], order });
    const news = told({ ...order, filledAmount: order.amount, fee: Decimal.of('0.00000001') });
    expect(news?.guessedFee).toBeUndefined();
  });
});
