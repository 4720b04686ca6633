import { currenciesOf } from '../../domain/index.ts';
import { Decimal, getOrInsert } from '../../kernel/index.ts';
import { deskOf, type TradedOrder } from './digest.ts';
import type { OrderPair } from './match-orders.ts';

/**
 * The pairs whose orders filled whole in both runs, of amounts that differ by no more than what fees
 * in the base currency had left until then, rounded to a step: who paid less has more to sell.
 */
export function pairsOfFees(pairs: readonly OrderPair[]): ReadonlySet<OrderPair> {
  const whole = pairs.filter(({ a, b }) => isWhole(a) && isWhole(b)) as Whole[];
  const steps = stepsOf(whole);
  /** How much more of the base currency fees alone have left in B, by `deskOf`. */
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
    // Who bought more for another reason paid more fees for that one.
    if (!isAlike && !isOfFees) continue;
    left.set(desk, after.plus(baseFeeOf(a)).minus(baseFeeOf(b)));
  }
  return found;
}

interface Whole {
  readonly a: TradedOrder;
  readonly b: TradedOrder;
}

function isWhole(order: TradedOrder | undefined): boolean {
  return order?.asked !== undefined && order.amount.equals(order.asked);
}

/** Whether there was something left, and is less of it, or beyond all of it by less than a step. */
function isUsedUp(before: Decimal, after: Decimal, step: Decimal): boolean {
  const most = before.sign * after.sign < 0 ? step : before.abs();
  return after.abs().compare(most) < 0;
}

/** The steps of amounts, by market: the finest that an order shows. */
function stepsOf(pairs: readonly Whole[]): Map<string, Decimal> {
  const scales = new Map<string, number>();
  for (const { a, b } of pairs) {
    const known = scales.get(a.market) ?? 0;
    scales.set(a.market, Math.max(known, a.amount.scale, b.amount.scale));
  }
  return new Map(Array.from(scales, ([market, scale]) => [market, new Decimal(1, scale)]));
}

/** What came in of the base currency, before fees; negative where it went out. */
export function boughtBy({ side, amount }: TradedOrder): Decimal {
  return side === 'buy' ? amount : amount.negated();
}

export function baseFeeOf({ market, fees }: TradedOrder): Decimal {
  return fees.get(currenciesOf(market).base) ?? Decimal.ZERO;
}
