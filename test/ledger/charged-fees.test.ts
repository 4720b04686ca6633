import { describe, expect, it } from 'vitest';
import type { Amount, OrderCharges, OrderRecord, Price } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { chargedAhead } from '../../src/ledger/index.ts';
import { makeMarket, makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { keptLines } from '../kernel/fixture.ts';
import { makeLedgers } from './fixture.ts';

const CHARGES: OrderCharges = {
  ...{ perOrder: Decimal.of('0.5'), perUnit: Decimal.of('0.25'), least: Decimal.of(1) },
};
const id = { exchangeOrderId: '1', time: 1, evidence: 'answer' } as const;

/** A resting order of 4 at 100, on an exchange that charges for it, and the news of it. */
function resting(charges: Partial<OrderCharges> = {}, scales?: ReadonlyMap<string, number>) {
  const { lines: warnings, logger } = keptLines();
  const rates = { maker: 0.001, taker: 0.001, feesIn: 'quote' } as const;
  const ledgers = makeLedgers({
    ...{ logger, ...rates, charges: { ...CHARGES, ...charges } },
    ...(scales && { scales }),
  });
  const { orders, events } = ledgers;
  const amount = 4 as Amount;
  orders.create(makePending({ amount }));
  orders.apply('tw0001', { kind: 'accepted', ...id });
  return {
    warnings,
    told: (filledAmount: number, fields: Partial<OrderRecord> = {}) =>
      orders.record(
        makeRecord({ amount, filledAmount: filledAmount as Amount, ...fields }),
        'push',
      ),
    fees: () => ofKind(events, 'fill').map(({ fill }) => `${fill.fee} ${fill.feeCurrency}`),
    lateFees: () => ofKind(events, 'lateFee').map(({ lateFee }) => `${lateFee.fee}`),
  };
}

describe('OrderLedger, where orders are charged beyond a share', () => {
  it('guesses what is not told: the least once, then what the fee passes it by', () => {
    const { told, fees } = resting();
    for (const amount of [0.5, 1, 1.5, 4]) told(amount);
    // In all 0.675, 0.85, 1.025 and 1.9 before the least.
    expect(fees()).toEqual(['1 usdt', '0 usdt', '0.025 usdt', '0.875 usdt']);
  });

  it('guesses no more than the part of the value that is most', () => {
    const { told, fees } = resting({ most: Decimal.of('0.005') });
    for (const amount of [1, 4]) told(amount);
    expect(fees()).toEqual(['0.5 usdt', '1.4 usdt']);
  });

  it('guesses the tax of its side beside that', () => {
    const taxed = { most: Decimal.of('0.005'), buyTax: Decimal.of('0.01') };
    const { told, fees } = resting({ ...taxed, sellTax: Decimal.of('0.09') });
    for (const amount of [1, 4]) told(amount);
    expect(fees()).toEqual(['1.5 usdt', '4.4 usdt']);
  });

  it('guesses in as many places as the currency is counted in', () => {
    const { told, fees, warnings } = resting({}, new Map([['usdt', 1]]));
    for (const amount of [1.5, 4]) told(amount);
    expect(fees()).toEqual(['1.1 usdt', '0.8 usdt']);
    told(4, { fee: Decimal.of('1.9') });
    expect(warnings).toEqual([]);
  });

  it('believes what is told, however little is worth that traded, and books it once', () => {
    const { told, fees, lateFees, warnings } = resting({ perOrder: Decimal.of(5) });
    told(0.01);
    told(0.01, { fee: Decimal.of('5.0045') });
    told(0.02, { fee: Decimal.of('5.008') });
    expect([fees(), lateFees()]).toEqual([['5.0035 usdt', '0.0035 usdt'], ['0.001']]);
    expect(warnings).toEqual([]);
  });

  it('believes no fee that is too large by more than ten times the rate', () => {
    const { told, fees, warnings } = resting();
    told(1, { fee: Decimal.of('40') });
    expect(fees()).toEqual(['1 usdt']);
    expect(warnings).toEqual([
      expect.stringMatching(/^Cannot believe a fee of btc_usdt: it is 40/),
    ]);
  });
});

describe('OrderLedger, a fee told that is more than what the fills are charged', () => {
  it('makes the guess for the next fill nothing, not less', () => {
    const { told, fees } = resting();
    told(1, { fee: Decimal.of(2) });
    told(1.5);
    expect(fees()).toEqual(['2 usdt', '0 usdt']);
  });
});

describe('chargedAhead', () => {
  const market = makeMarket();
  const feeRates = { maker: 0.001, taker: 0.002, in: 'quote', charges: CHARGES } as const;
  const order = { side: 'buy', price: 100 as Price, amount: 4 as Amount } as const;

  it('is what the rest may be charged at the own price and the dearer rate', () => {
    expect(`${chargedAhead(order, { market, feeRates })}`).toBe('2.3');
    const filled = { filledAmount: 3 as Amount, filledValue: Decimal.of(150) };
    // A share of 0.5 for the whole, 1.5 for the order and its units, less what is charged already.
    const fee = Decimal.of('1.2');
    expect(`${chargedAhead({ ...order, ...filled, fee }, { market, feeRates })}`).toBe('0.8');
  });

  it('has the tax of its side', () => {
    const charges = { ...CHARGES, buyTax: Decimal.of('0.005'), sellTax: Decimal.of('0.01') };
    const feesOf = (['buy', 'sell'] as const).map((side) =>
      String(chargedAhead({ ...order, side }, { market, feeRates: { ...feeRates, charges } })),
    );
    expect(feesOf).toEqual(['4.3', '6.3']);
  });

  it('is rounded up to what the currency is counted in', () => {
    const scales = new Map([['usdt', 1]]);
    const small = { ...order, amount: 3.1 as Amount };
    expect(`${chargedAhead(small, { market, feeRates: { ...feeRates, scales } })}`).toBe('2');
  });

  it('is not known where a share of each trade is all that is charged', () => {
    const { charges: _, ...plain } = feeRates;
    expect(chargedAhead(order, { market, feeRates: plain })).toBeUndefined();
  });
});
