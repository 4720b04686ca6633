import type { LiveOrder, Market, Quote, Side } from '../domain/index.ts';
import { type Rounding, roundToScale, toUnits, UNITS_MAX, unitsOrNaN } from '../kernel/index.ts';
import { addUnits, ExactSum } from './exact.ts';

/** Orders of one side taken together, in whole units of the market. */
export class SideExposure {
  count = 0;
  amountUnits = 0;
  /** Quote value of what is not filled. */
  value = new ExactSum();
  lowestPriceUnits = Number.POSITIVE_INFINITY;
  highestPriceUnits = Number.NEGATIVE_INFINITY;

  add(priceUnits: number, amountUnits: number): void {
    this.count++;
    this.amountUnits = addUnits(this.amountUnits, amountUnits);
    this.value.add(priceUnits, amountUnits);
    this.lowestPriceUnits = Math.min(this.lowestPriceUnits, priceUnits);
    this.highestPriceUnits = Math.max(this.highestPriceUnits, priceUnits);
  }
}

/** Orders of one market taken together: what they may still do if all of them fill. */
export class Exposure {
  static readonly #none = new Exposure();
  readonly buy = new SideExposure();
  readonly sell = new SideExposure();

  /** What live orders may still fill; a cancel under way or an unknown fate lessens nothing. */
  static ofLive(orders: readonly LiveOrder[], { priceScale, amountScale }: Market): Exposure {
    if (orders.length === 0) return Exposure.#none;
    const exposure = new Exposure();
    for (const { side, price, amount, filledAmount } of orders) {
      const rest = unitsAbove(amount, amountScale) - unitsBelow(filledAmount, amountScale);
      exposure[side].add(unitsAbove(price, priceScale), Math.max(0, rest));
    }
    return exposure;
  }

  static ofWish(orders: readonly WishedOrder[], { priceScale, amountScale }: Market): Exposure {
    if (orders.length === 0) return Exposure.#none;
    const exposure = new Exposure();
    for (const { side, price, amount } of orders) {
      exposure[side].add(toUnits(price, priceScale), toUnits(amount, amountScale));
    }
    return exposure;
  }

  /** Quote value of both sides. */
  get value(): ExactSum {
    return new ExactSum().addSum(this.buy.value).addSum(this.sell.value);
  }

  get count(): number {
    return this.buy.count + this.sell.count;
  }
}

/**
 * A number in whole units, by the next one up: the venue may coarsen a scale while orders rest.
 * Infinite where no order can have so many, as a stub of a book may be priced.
 */
export function unitsAbove(value: number, scale: number): number {
  return unitsOf(value, { scale, rounding: 'up' });
}

/** The same by the next one down. */
export function unitsBelow(value: number, scale: number): number {
  return unitsOf(value, { scale, rounding: 'down' });
}

function unitsOf(
  value: number,
  { scale, rounding }: { readonly scale: number; readonly rounding: Rounding },
): number {
  const units = unitsOrNaN(value, scale);
  if (!Number.isNaN(units)) return units;
  if (value * 10 ** scale > UNITS_MAX - 1) return Number.POSITIVE_INFINITY;
  return toUnits(roundToScale(value, scale, rounding), scale);
}

/** An order that is wished, or about to leave. */
export interface WishedOrder extends Quote {
  readonly side: Side;
}
