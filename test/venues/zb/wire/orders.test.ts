import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/kernel/index.ts';
import { isClosedStatus, orderTypeCodeOf } from '../../../../src/venues/zb/wire/fields.ts';
import {
  orderTypeOf,
  parseJson,
  readAcknowledged,
  readCancelled,
  readOrder,
  readPlaced,
  readPlacedBatch,
  readPushedOrder,
  WireError,
} from '../../../../src/venues/zb/wire/index.ts';

const record = {
  currency: 'btc_usdt',
  id: '202202224851151555',
  price: 30000.0,
  status: 3,
  total_amount: 0.0006,
  trade_amount: 0.0,
  trade_date: 1_645_610_254_524,
  trade_money: 0.0,
  type: 1,
};

describe('readOrder', () => {
  test('reads the recorded record', () => {
    expect(readOrder(record, 'btc_usdt')).toEqual({
      market: 'btc_usdt',
      exchangeOrderId: '202202224851151555',
      side: 'buy',
      type: 'limit',
      price: 30000,
      amount: 0.0006,
      filledAmount: 0,
      filledValue: Decimal.of('0'),
      closed: false,
      exchangeTime: 1_645_610_254_524,
    });
  });

  test('reads strings for numbers, the symbol for the market and a bare id without loss', () => {
    const text = JSON.stringify({
      ...record,
      currency: 'BTCUSDT',
      price: '30000.00',
      trade_money: '17.10000000000000000001',
      fees: '0.0000012',
    }).replace('"202202224851151555"', '202202224851151555');
    const order = readOrder(parseJson(text), 'btc_usdt');
    expect(order).toMatchObject({ exchangeOrderId: '202202224851151555', price: 30000 });
    expect(order.filledValue.toString()).toBe('17.10000000000000000001');
    expect(order.fee?.toString()).toBe('0.0000012');
  });

  test.each([0, 1, '2'])('reads the account %j where it is told', (acctType) => {
    expect(readOrder({ ...record, acctType }, 'btc_usdt').accountType).toBe(Number(acctType));
    expect(() => readOrder({ ...record, acctType: 3 }, 'btc_usdt')).toThrow(WireError);
  });

  test('takes a fee that was paid by deduction for nothing of what was traded', () => {
    const feeOf = (fields: object) => readOrder({ ...record, ...fields }, 'btc_usdt').fee;
    expect(`${feeOf({ fees: '1', deductedFee: true })}`).toBe('0');
    expect(`${feeOf({ deductedFee: true })}`).toBe('0');
    expect(`${feeOf({ fees: '1', deductedFee: false })}`).toBe('1');
    expect(feeOf({ fees: '1', useZbFee: true })).toBeUndefined();
  });

  test.each([
    [0, false],
    [3, false],
    [1, true],
    [2, true],
  ])('status %i closed: %s', (status, closed) => {
    expect(readOrder({ ...record, status }, 'btc_usdt').closed).toBe(closed);
  });

  test.each([
    ['status', 7],
    ['type', 6],
    ['type', 1.5],
    ['currency', 'eth_usdt'],
    ['id', 'abc'],
    ['price', null],
    ['trade_money', 'many'],
  ])('refuses %s %j', (name, value) => {
    expect(() => readOrder({ ...record, [name]: value }, 'btc_usdt')).toThrow(WireError);
  });
});

describe('orderTypeOf', () => {
  test('is the inverse of orderTypeCodeOf over 0 to 5', () => {
    const codes = [0, 1, 2, 3, 4, 5];
    expect(codes.map((code) => orderTypeCodeOf(orderTypeOf(code)!))).toEqual(codes);
    expect([orderTypeOf(-1), orderTypeOf(6), isClosedStatus(4)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('readPlaced', () => {
  test('gives the id', () => {
    expect(readPlaced({ code: 1000, id: '202202224851151555' })).toEqual({
      exchangeOrderId: '202202224851151555',
    });
  });

  test('refuses an id without the code of success', () => {
    expect(() => readPlaced({ id: '1' })).toThrow(WireError);
  });

  test('refuses success without an id', () => {
    expect(() => readPlaced({ code: 1000, message: 'ok' })).toThrow(WireError);
  });
});

describe('readPlacedBatch', () => {
  test('gives the ids in order and leaves empty places out', () => {
    const ids = ['1', '', '3', null, 0];
    expect(readPlacedBatch({ code: 1000, data: ids }, 5)).toEqual({ exchangeOrderIds: ['1', '3'] });
    expect(readPlacedBatch({ code: 1000, message: { datas: ['4'] } }, 2)).toEqual({
      exchangeOrderIds: ['4'],
    });
  });

  test('passes on what is said of a batch that was taken in part, and of no other', () => {
    const answer = { code: '1000', message: 'not all', data: ['1'] };
    expect(readPlacedBatch(answer, 2)).toEqual({ exchangeOrderIds: ['1'], remark: 'not all' });
    expect(readPlacedBatch(answer, 1)).toEqual({ exchangeOrderIds: ['1'] });
  });

  test('passes on no success as the reason why a part is missing', () => {
    const answer = { code: 1000, message: '操作成功', data: ['1'] };
    expect(readPlacedBatch(answer, 2)).toEqual({ exchangeOrderIds: ['1'] });
  });
});

describe('readCancelled', () => {
  const totals = { amount: 2, price: '10.5', completeMonty: '10.5', completeAmount: 1 };
  const answer = { amount: 2, price: 10.5, filledAmount: 1, filledValue: Decimal.of('10.5') };

  test('reads totals beside the code and within the message', () => {
    expect(readCancelled({ code: 1000, message: 'ok', ...totals })).toEqual(answer);
    expect(
      readCancelled({ code: 1000, message: { des: 'ok', isSuc: true, datas: totals } }),
    ).toEqual(answer);
  });

  test('takes nothing for an acknowledgement that does not say so', () => {
    expect(() => readCancelled({})).toThrow(WireError);
    expect(() => readCancelled(totals)).toThrow(WireError);
  });

  test('gives undefined for an acknowledgement alone', () => {
    expect(readCancelled({ code: '1000', message: 'ok' })).toBeUndefined();
  });
});

describe('readAcknowledged', () => {
  test('wants the code of success', () => {
    expect(() => readAcknowledged({ code: '1000' })).not.toThrow();
    expect(() => readAcknowledged({})).toThrow(WireError);
  });
});

describe('readPushedOrder', () => {
  const short = [
    '202202224851151555',
    30000,
    '0.0006',
    0.0002,
    '6',
    3,
    1_645_610_254_524,
    0,
    0.1,
    0,
    0,
    0,
    0,
  ];

  test('reads the array that ends at 12', () => {
    expect(readPushedOrder(short, 'btc_usdt')).toEqual({
      market: 'btc_usdt',
      exchangeOrderId: '202202224851151555',
      side: 'buy',
      type: 'postOnly',
      price: 30000,
      amount: 0.0006,
      filledAmount: 0.0002,
      filledValue: Decimal.of('6'),
      closed: false,
      exchangeTime: 1_645_610_254_524,
    });
  });

  test('reads the latest trade of the array that ends at 16', () => {
    const long = [...short, '2796890056', '30000', 0.0002, 1_645_610_255_000];
    expect(readPushedOrder(long, 'btc_usdt').lastTrade).toEqual({
      id: '2796890056',
      price: 30000,
      amount: 0.0002,
      time: 1_645_610_255_000,
    });
    expect(readPushedOrder([...short, 0, 0, 0, 0], 'btc_usdt')).not.toHaveProperty('lastTrade');
  });

  test('refuses a torn array', () => {
    expect(() => readPushedOrder(short.slice(0, 5), 'btc_usdt')).toThrow(WireError);
  });

  test.each([
    ['type', 5, 6],
    ['status', 7, 4],
  ])('refuses a %s that nobody told us of, rather than guess', (_name, place, value) => {
    expect(() => readPushedOrder(short.with(place, value), 'btc_usdt')).toThrow(WireError);
  });
});
