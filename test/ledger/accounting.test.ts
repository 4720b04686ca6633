import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Amount, Fill, Position, Side } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { FEE_CONVENTIONS, type FeeConvention } from '../../src/ledger/accounting.ts';
import {
  costOf,
  flatPosition,
  foldBooking,
  foldEntry,
  foldFill,
  profitOf,
} from '../../src/ledger/index.ts';
import { makeFill, makeMarket } from '../domain/fixture.ts';
import { dataOr } from '../recordings.ts';

const market = makeMarket();

type OracleTrade = [side: Side, price: number, amount: number, fees?: Record<string, number>];
interface OracleCase {
  readonly name: string;
  readonly trades: readonly OracleTrade[];
  readonly feeRate?: number;
  readonly avgCost?: number;
  readonly avgCostAfterBuy?: number;
  readonly base?: number;
  readonly quote?: number;
  readonly profit?: number;
  readonly netProfit?: number;
}

const FALLBACK: readonly OracleCase[] = [
  {
    name: 'a long turned short',
    trades: [
      ['buy', 1000, 0.01],
      ['buy', 2000, 0.03],
      ['sell', 3000, 0.1],
    ],
    ...{ avgCost: 3000, base: -0.06, quote: 230, profit: 50 },
  },
];

function oracleCases(): readonly OracleCase[] {
  return dataOr('oracles/position.json', { cases: FALLBACK }).cases;
}

/** A fee in a third coin is stated in the quote currency: its worth at the price of the fill. */
function fillOf([side, price, amount, fees]: OracleTrade, feeRate: number | undefined): Fill {
  const [coin, paid] = Object.entries(fees ?? {})[0] ?? ['USDT', (feeRate ?? 0) * price * amount];
  const feeCurrency = coin === 'BTC' ? 'btc' : 'usdt';
  return makeFill({ side, price, amount: amount as Amount, fee: Decimal.of(paid), feeCurrency });
}

function fold(fills: readonly Fill[], convention: FeeConvention = 'separate'): Position[] {
  const positions = [flatPosition('btc_usdt')];
  for (const fill of fills) {
    positions.push(foldFill(positions.at(-1)!, { fill, market, convention }));
  }
  return positions;
}

/** The average cost as it last was while something was held. */
function averageCost(positions: readonly Position[]): number {
  const { cost, amount } = positions.findLast((position) => position.amount.sign !== 0)!;
  return cost.toNumber() / amount.toNumber();
}

describe('foldFill with fees in the cost, against published results', () => {
  it.each(oracleCases())('$name', (wanted) => {
    const fills = wanted.trades.map((trade) => fillOf(trade, wanted.feeRate));
    const positions = fold(fills, 'inCost');
    const { amount, cost, realizedProfit, fees } = positions.at(-1)!;
    const net = realizedProfit.minus(fees);
    const average = wanted.avgCost ?? wanted.avgCostAfterBuy;
    expect(average).toBeDefined();
    expect(averageCost(positions)).toBeCloseTo(average!, 9);
    const isClose = (got: Decimal, want = got.toNumber()) =>
      expect(got.toNumber()).toBeCloseTo(want, 9);
    isClose(amount, wanted.base);
    isClose(realizedProfit, wanted.profit);
    isClose(net, wanted.netProfit);
    isClose(net.minus(cost), wanted.quote);
  });
});

const anyFill = fc
  .record({
    side: fc.constantFrom<Side>('buy', 'sell'),
    priceUnits: fc.integer({ min: 1, max: 20_000 }),
    amountUnits: fc.integer({ min: 1, max: 30_000 }),
    feeUnits: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ side, priceUnits, amountUnits, feeUnits }) => {
    const amount = (amountUnits / 10_000) as Amount;
    const value = new Decimal(BigInt(priceUnits) * BigInt(amountUnits), 6);
    const paid = side === 'buy' ? Decimal.of(amount) : value;
    const fee = paid.times(new Decimal(BigInt(feeUnits), 4)).round(8, 'up');
    return makeFill({ side, amount, value, price: priceUnits / 100, fee });
  });
const anyFills = fc.array(anyFill, { minLength: 1, maxLength: 20 });

/** Income and expenses by plain addition, without any average cost. */
function flows(fills: readonly Fill[]) {
  let base = Decimal.ZERO;
  let quote = Decimal.ZERO;
  for (const { side, amount, value, fee } of fills) {
    const moved = Decimal.of(amount);
    base = side === 'buy' ? base.plus(moved).minus(fee) : base.minus(moved);
    quote = side === 'buy' ? quote.minus(value) : quote.plus(value).minus(fee);
  }
  return { base, quote };
}

describe('foldFill, whatever the fills', () => {
  it.each(FEE_CONVENTIONS)('accounts for every unit that moved (fees %s)', (convention) => {
    fc.assert(
      fc.property(anyFills, (fills) => {
        const { amount, cost, realizedProfit, fees } = fold(fills, convention).at(-1)!;
        const { base, quote } = flows(fills);
        expect(amount.equals(base)).toBe(true);
        expect(realizedProfit.minus(cost).minus(fees).equals(quote)).toBe(true);
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('has the same net profit by either convention, that of the flows', () => {
    fc.assert(
      fc.property(anyFills, fc.integer({ min: 1, max: 20_000 }), (fills, markUnits) => {
        const mark = new Decimal(BigInt(markUnits), 2);
        const { base, quote } = flows(fills);
        for (const convention of FEE_CONVENTIONS) {
          const { net } = profitOf(fold(fills, convention).at(-1)!, mark);
          expect(net.equals(quote.plus(base.times(mark)))).toBe(true);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it('costs nothing while flat, and has the sign of what is held', () => {
    fc.assert(
      fc.property(anyFills, (fills) => {
        for (const { amount, cost } of fold(fills)) {
          if (amount.sign === 0) expect(cost.sign).toBe(0);
          else expect(cost.sign * amount.sign).toBeGreaterThanOrEqual(0);
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });
});

describe('foldFill', () => {
  it('restarts the cost of a turned position at the price of the turning fill', () => {
    const buy = makeFill({ price: 100 });
    const sell = makeFill({ side: 'sell', price: 110, amount: 3 as Amount });
    const { amount, cost, realizedProfit } = fold([buy, sell]).at(-1)!;
    expect([amount, cost, realizedProfit].map(String)).toEqual(['-2', '-220', '10']);
  });

  it('counts fees apart by default and lessens the amount by a fee in the base', () => {
    const fee = Decimal.of('0.002');
    const { amount, cost, fees } = fold([makeFill({ fee })]).at(-1)!;
    expect([amount, cost, fees].map(String)).toEqual(['0.998', '99.8', '0.2']);
  });
});

describe('foldBooking of a fee that is told later', () => {
  const cases = (['buy', 'sell'] as const).flatMap((side) =>
    (['btc', 'usdt'] as const).flatMap((feeCurrency) =>
      FEE_CONVENTIONS.map((convention) => ({ side, feeCurrency, convention })),
    ),
  );

  it.each(cases)(
    'leads where it had led with its fill: %o',
    ({ side, feeCurrency, convention }) => {
      const fee = Decimal.of('0.01');
      const value = feeCurrency === 'btc' ? fee.times(Decimal.of(100)) : fee;
      const fill = makeFill({ side, price: 100, feeCurrency });
      const { market: id, strategy, clientOrderId, exchangeOrderId, price, time } = fill;
      const names = { market: id, strategy, clientOrderId, exchangeOrderId, price, time };
      const lateFee = { ...names, side, fee, value, feeCurrency };
      const texts = ({ amount, cost, realizedProfit, fees }: Position) =>
        [amount, cost, realizedProfit, fees].map(String);
      const [first] = fold([fill], convention).slice(-1);
      const late = foldBooking(first!, { booking: lateFee, market, convention });
      expect(texts(late)).toEqual(texts(fold([{ ...fill, fee }], convention).at(-1)!));
    },
  );

  it('adds to no cost of what is not held any more, nor of the other side', () => {
    const names = makeFill({ feeCurrency: 'usdt' });
    const { amount: _, ...lateFee } = { ...names, fee: Decimal.of(1), value: Decimal.of(1) };
    for (const held of [[], [makeFill({ side: 'sell' })]]) {
      const before = fold(held, 'inCost').at(-1)!;
      const after = foldBooking(before, { booking: lateFee, market, convention: 'inCost' });
      expect(after.cost.equals(before.cost)).toBe(true);
      expect(`${after.fees.minus(before.fees)}`).toBe('1');
    }
  });
});

/** The position after a person's adjustment, at that price or at its cost. */
function set(position: Position, after: Decimal, price?: Decimal): Position {
  const { amount: before } = position;
  const change = after.minus(before);
  const value = price?.times(change) ?? costOf(position, change.negated()).negated();
  const entry = { market: market.id, strategy: 'maker', before, after, value, time: 0 };
  return foldEntry(position, { entry, market });
}

describe('foldEntry, of what a person set,', () => {
  const bought = fold([makeFill({ amount: 3 as Amount, price: 100 })]).at(-1)!;
  const exact = ({ amount, cost, realizedProfit, fees }: Position) =>
    [amount, cost, realizedProfit, fees].map(String);

  it('lets coins go at their cost, and at a price with its profit', () => {
    expect(exact(set(bought, Decimal.of(1)))).toEqual(['1', '100', '0', '0']);
    expect(exact(set(bought, Decimal.ZERO))).toEqual(['0', '0', '0', '0']);
    expect(exact(set(bought, Decimal.of(1), Decimal.of(90)))).toEqual(['1', '100', '-20', '0']);
  });

  it('adds coins at their price, and leads through flat', () => {
    expect(exact(set(bought, Decimal.of(4), Decimal.of(60)))).toEqual(['4', '360', '0', '0']);
    const short = set(bought, Decimal.of(-2), Decimal.of(110));
    expect(exact(short)).toEqual(['-2', '-220', '30', '0']);
    expect(exact(set(short, Decimal.of(-1)))).toEqual(['-1', '-110', '30', '0']);
  });

  it('never books a profit at cost, to the last digit, and ends where it was told to', () => {
    fc.assert(
      fc.property(anyFills, fc.integer({ min: 0, max: 999 }), (fills, share) => {
        const before = fold(fills).at(-1)!;
        const left = before.amount.times(new Decimal(share, 3));
        if (left.equals(before.amount)) return;
        const after = set(before, left);
        expect(after.amount.equals(left)).toBe(true);
        expect(after.realizedProfit.equals(before.realizedProfit)).toBe(true);
        expect(after.fees).toBe(before.fees);
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
