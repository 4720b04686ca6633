import {
  Decimal,
  isOnScale,
  type Rounding,
  roundToScale,
  toUnits,
  unitsOrNaN,
} from '../kernel/index.ts';

/** The side of an order: `buy` gains the base currency, `sell` gives it. */
export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

declare const unit: unique symbol;
/** A price in the quote currency that is an exact multiple of its market's price step. */
export type Price = number & { readonly [unit]: 'price' };
/** An amount in the base currency that is an exact multiple of its market's amount step. */
export type Amount = number & { readonly [unit]: 'amount' };

/**
 * The form of a market's id, `<base>_<quote>` in lower case. Source: contract, market identifiers.
 */
export const MARKET_ID = /^[a-z0-9]+_[a-z0-9]+$/;

/** A market and its rules, as the venue states them. */
export interface Market {
  /** `<base>_<quote>` in lower case, such as `btc_usdt`. */
  readonly id: string;
  readonly base: string;
  readonly quote: string;
  /** Decimal places of a price. */
  readonly priceScale: number;
  /** Decimal places of an amount. */
  readonly amountScale: number;
  /** Least amount of an order, in the base currency. */
  readonly minAmount: number;
  /** Least value of an order (price x amount), in the quote currency. */
  readonly minSize: number;
}

export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** The base and the quote currency of a market identifier. */
export function currenciesOf(marketId: string): { base: string; quote: string } {
  const [base = '', quote = ''] = marketId.split('_');
  return { base, quote };
}

/** Rounds a price to the market's scale. Default rounding: nearest. */
export function priceOf(market: Market, value: number, rounding: Rounding = 'nearest'): Price {
  return roundToScale(value, market.priceScale, rounding) as Price;
}

/** Rounds an amount to the market's scale. Default rounding: down, so that nothing is overspent. */
export function amountOf(market: Market, value: number, rounding: Rounding = 'down'): Amount {
  return roundToScale(value, market.amountScale, rounding) as Amount;
}

/**
 * The largest relative difference between two numbers that stand for the same price or amount. Each
 * term of a sum of doubles adds an error of at most 1e-16.
 */
const DUST = 1e-13;

/** Whether two prices, or two amounts, are equal up to rounding errors of summed doubles. */
export function isSameSize(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= DUST * Math.max(a, b);
}

/**
 * The price that an exchange told, rounded to scale where only a rounding error of doubles is off.
 */
export function toldPrice(market: Market, told: number): Price {
  return withoutDust(told, { scale: market.priceScale, of: told }) as Price;
}

/**
 * The amount that an exchange told, rounded to scale where only a rounding error of doubles is off.
 * An amount of another scale (the market's rules may have changed) stays as it is. `of`: the larger
 * amount that this one was computed as a part of, which bounds the rounding error. Default: the
 * amount itself.
 */
export function toldAmount(
  market: Market,
  told: number,
  { of = told }: { readonly of?: number } = {},
): Amount {
  return withoutDust(told, { scale: market.amountScale, of }) as Amount;
}

function withoutDust(told: number, { scale, of }: { scale: number; of: number }): number {
  if (isOnScale(told, scale)) return told;
  const nearest = Number(told.toFixed(scale));
  return Math.abs(nearest - told) <= DUST * Math.max(nearest, told, of) ? nearest : told;
}

export function isPrice(market: Market, value: number): value is Price {
  return value > 0 && isOnScale(value, market.priceScale);
}

export function isAmount(market: Market, value: number): value is Amount {
  return value > 0 && isOnScale(value, market.amountScale);
}

/** The exact decimal of a price. @throws {DecimalError} when it is not on the market's scale. */
export function priceDecimal(market: Market, price: number): Decimal {
  return new Decimal(toUnits(price, market.priceScale), market.priceScale);
}

/** The exact decimal of an amount. @throws {DecimalError} when it is not on the market's scale. */
export function amountDecimal(market: Market, amount: number): Decimal {
  return new Decimal(toUnits(amount, market.amountScale), market.amountScale);
}

/**
 * The exact decimal of a traded amount. If the amount is not on the market's scale, which may have
 * changed since the trade, its own digits are used.
 */
export function tradedDecimal(market: Market, amount: number): Decimal {
  const units = unitsOrNaN(amount, market.amountScale);
  return Number.isNaN(units) ? Decimal.of(amount) : new Decimal(units, market.amountScale);
}

/** The exact value of an order or fill in the quote currency: price x amount. */
export function orderValue(
  market: Market,
  { price, amount }: { price: number; amount: number },
): Decimal {
  return priceDecimal(market, price).times(amountDecimal(market, amount));
}

/** Whether an order's value is below the market's `minSize`. */
export function isBelowMinSize(
  market: Market,
  terms: { readonly price: number; readonly amount: number },
): boolean {
  return orderValue(market, terms).compare(Decimal.of(market.minSize)) < 0;
}

/** The least amount of an order: the market's own least, or one step of amounts if that is more. */
export function leastAmount({ minAmount, amountScale }: Market): number {
  return Math.max(minAmount, 10 ** -amountScale);
}

/**
 * Whether the market takes an order of that size at that price, roughly: both are numbers of any
 * scale. If the price is NaN, the size decides.
 */
export function isTradable(
  market: Market,
  { size, price }: { readonly size: number; readonly price: number },
): boolean {
  return size >= leastAmount(market) && !(size * price < market.minSize);
}

/** The exact difference of two amounts; may be negative. */
export function subtractAmounts(market: Market, a: number, b: number): Amount {
  return roundToScale(a - b, market.amountScale, 'nearest') as Amount;
}
