import type { LiveOrder, Market, Quote, Side } from '../domain/index.ts';
import {
  Decimal,
  type Rounding,
  roundToScale,
  toUnits,
  UNITS_MAX,
  unitsOrNaN,
} from '../kernel/index.ts';
import { addUnits } from './exact.ts';

/** Larger numbers, possible in a foreign order, count as this. */
const MOST = Number.MAX_SAFE_INTEGER;

/** The sums over orders of one side, in whole units of the market. */
export class SideExposure {
  count = 0;
  amountUnits = 0;
  lowestPriceUnits = Number.POSITIVE_INFINITY;
  highestPriceUnits = Number.NEGATIVE_INFINITY;
  readonly #valueScale: number;
  /** The value in units: the part that a double holds exactly, and the rest. */
  #valueUnits = 0;
  #valueBeyond = 0n;

  /** `valueScale`: decimal places of a price times an amount. */
  constructor(valueScale: number) {
    this.#valueScale = valueScale;
  }

  /** Quote value of the open amounts. */
  get value(): Decimal {
    if (this.count === 0) return Decimal.ZERO;
    const [units, beyond] = [this.#valueUnits, this.#valueBeyond];
    return new Decimal(beyond === 0n ? units : BigInt(units) + beyond, this.#valueScale);
  }

  add(priceUnits: number, amountUnits: number): void {
    this.count++;
    this.amountUnits = addUnits(this.amountUnits, amountUnits);
    const worth = this.#valueUnits + priceUnits * amountUnits;
    if (worth <= MOST) this.#valueUnits = worth;
    else
      this.#valueBeyond += BigInt(Math.min(priceUnits, MOST)) * BigInt(Math.min(amountUnits, MOST));
    this.lowestPriceUnits = Math.min(this.lowestPriceUnits, priceUnits);
    this.highestPriceUnits = Math.max(this.highestPriceUnits, priceUnits);
  }
}

/** The sums over orders of one market: what they may still do if all of them fill. */
export class Exposure {
  static readonly #none = new Exposure(0);
  readonly buy: SideExposure;
  readonly sell: SideExposure;

  constructor(valueScale: number) {
    this.buy = new SideExposure(valueScale);
    this.sell = new SideExposure(valueScale);
  }

  /** The open amounts of live orders. Those being cancelled or of unknown fate count in full. */
  static ofLive(orders: readonly OpenTerms[], { priceScale, amountScale }: Market): Exposure {
    if (orders.length === 0) return Exposure.#none;
    const exposure = new Exposure(priceScale + amountScale);
    for (const { side, price, amount, filledAmount } of orders) {
      const rest = unitsAbove(amount, amountScale) - unitsBelow(filledAmount, amountScale);
      exposure[side].add(unitsAbove(price, priceScale), Math.max(0, rest));
    }
    return exposure;
  }

  static ofWish(orders: readonly WishedOrder[], { priceScale, amountScale }: Market): Exposure {
    if (orders.length === 0) return Exposure.#none;
    const exposure = new Exposure(priceScale + amountScale);
    for (const { side, price, amount } of orders) {
      exposure[side].add(toUnits(price, priceScale), toUnits(amount, amountScale));
    }
    return exposure;
  }

  /** Quote value of both sides. */
  get value(): Decimal {
    return this.buy.value.plus(this.sell.value);
  }

  get count(): number {
    return this.buy.count + this.sell.count;
  }
}

/**
 * A number in whole units, rounded up: the venue may coarsen a scale while orders rest. Infinite if
 * no order can have so many, as with the price of a stub quote.
 */
export function unitsAbove(value: number, scale: number): number {
  return unitsOf(value, { scale, rounding: 'up' });
}

/** As `unitsAbove`, rounded down. */
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

/** The fields of a live order, ours or not, that count. */
export type OpenTerms = Pick<LiveOrder, 'side' | 'price' | 'amount' | 'filledAmount'>;

/** An order that is wished, or about to leave. */
export interface WishedOrder extends Quote {
  readonly side: Side;
}
