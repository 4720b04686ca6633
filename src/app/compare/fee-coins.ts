import { currenciesOf } from '../../domain/index.ts';
import { Decimal, getOrInsert } from '../../kernel/index.ts';
import { deskOf, type TradedOrder } from './digest.ts';
import type { OrderPair } from './match-orders.ts';

/**
 * The pairs whose orders filled whole in both runs, with amounts that differ by no more than what
 * fees in the base currency had left so far, rounded to a step: whoever paid less has more to sell.
 */
export function pairsOfFees(pairs: readonly OrderPair[]): ReadonlySet<OrderPair> {
  const whole = pairs.filter(({ a, b }) => isWhole(a) && isWhole(b)) as Whole[];
  const steps = stepsOf(whole);
  /** How much more of the base currency B holds due to its fees alone, by `deskOf`. */
  const left = new Map<string, Decimal>();
  const found = new Set<OrderPair>();
  for (const pair of whole.sort((one, other) => one.a.createdTime - other.a.createdTime)) {
    const { a, b } = pair;
    const desk = deskOf(a);
    const before = getOrInsert(left, desk, () => Decimal.ZERO);
    const after = before.plus(boughtBy(b)).minus(boughtBy(a));
    const isAlike = after.equals(before);
    const isOfFees = !isAlike && isUsedUp(before, after, steps.get(a.market)!);
    if (isOfFees) found.add(pair);
    // Amounts that differ for another reason bring fees that differ for that reason.
    if (!isAlike && !isOfFees) continue;
    left.set(desk, after.plus(baseFeeOf(a)).minus(baseFeeOf(b)));
  }
  return found;
}

interface Whole {
  readonly a: TradedOrder;
  readonly b: TradedOrder;
}

/** Whether it filled all that it asked for. */
export function isWhole(order: TradedOrder | undefined): boolean {
  return order?.asked !== undefined && order.amount.equals(order.asked);
}

/** Whether a trade has used up some of what fees left, or all of it and less than a step beyond. */
function isUsedUp(before: Decimal, after: Decimal, step: Decimal): boolean {
  const most = before.sign * after.sign < 0 ? step : before.abs();
  return after.abs().compare(most) < 0;
}

/** The amount step of each market: the finest that its orders show. */
function stepsOf(pairs: readonly Whole[]): Map<string, Decimal> {
  const scales = new Map<string, number>();
  for (const { a, b } of pairs) {
    const known = scales.get(a.market) ?? 0;
    scales.set(a.market, Math.max(known, a.amount.scale, b.amount.scale));
  }
  return new Map(Array.from(scales, ([market, scale]) => [market, new Decimal(1, scale)]));
}

/** Base currency that came in, before fees; negative for a sale. */
export function boughtBy({ side, amount }: TradedOrder): Decimal {
  return side === 'buy' ? amount : amount.negated();
}

export function baseFeeOf({ market, fees }: TradedOrder): Decimal {
  return fees.get(currenciesOf(market).base) ?? Decimal.ZERO;
}
