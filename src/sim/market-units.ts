import type { Market } from '../domain/index.ts';
import { Decimal, divideRounded, powerOfTen, type Rounding } from '../kernel/index.ts';
import type { Currencies } from './currencies.ts';

/** Whole units of one market: what the book and the balances count in. */
export interface MarketUnits {
  readonly market: Market;
  /** Numbers of the market's currencies among those of the exchange. */
  readonly base: number;
  readonly quote: number;
  /** Units in a price and in an amount of 1. */
  readonly priceFactor: number;
  readonly amountFactor: number;
  /** Decimal places of those currencies. */
  readonly baseScale: number;
  readonly quoteScale: number;
  /** Units of the base currency in one unit of amount. */
  readonly baseFactor: number;
  /** Units of the quote currency in one unit of price x one unit of amount; 1 where those are finer. */
  readonly quoteFactor: number;
  /** Units of price x amount in one unit of the quote currency; 1 where that is finer. */
  readonly quoteDivisor: number;
  /** The currencies that the fees of buys and of sells are taken in. */
  readonly buyFee: number;
  readonly sellFee: number;
  /** Least amount and least value of an order, in units of amount and of price x amount. */
  readonly minAmount: number;
  readonly minValue: number;
}

/** The currency that fees are taken in: the one that a trade brings in, or always the same one. */
export type FeesIn = 'received' | 'quote' | 'base';

/** The units of a market on an exchange with those currencies. */
export function marketUnits(
  market: Market,
  { currencies, feesIn = 'received' }: { currencies: Currencies; feesIn?: FeesIn | undefined },
): MarketUnits {
  const valueScale = market.priceScale + market.amountScale;
  const baseScale = currencies.scaleOf(market.base);
  const quoteScale = currencies.scaleOf(market.quote);
  const base = currencies.indexOf(market.base);
  const quote = currencies.indexOf(market.quote);
  return {
    market,
    base,
    quote,
    priceFactor: Number(powerOfTen(market.priceScale)),
    amountFactor: Number(powerOfTen(market.amountScale)),
    baseScale,
    quoteScale,
    baseFactor: 10 ** (baseScale - market.amountScale),
    quoteFactor: 10 ** Math.max(0, quoteScale - valueScale),
    quoteDivisor: 10 ** Math.max(0, valueScale - quoteScale),
    buyFee: feesIn === 'quote' ? quote : base,
    sellFee: feesIn === 'base' ? base : quote,
    minAmount: leastUnits(market.minAmount, market.amountScale),
    minValue: leastUnits(market.minSize, valueScale),
  };
}

/** The ratio of the units of price x amount and of the quote currency. */
type ValueUnits = Pick<MarketUnits, 'quoteFactor' | 'quoteDivisor'>;

/** A price and an amount, in whole units of their market. */
interface Terms {
  readonly price: number;
  readonly amount: number;
}

/**
 * The value that a trade moves, in whole units of the quote currency, rounded down. Exact; NaN
 * where it is more than any wallet holds.
 *
 * The quotient of a safe integer and a power of ten is never rounded up to the next whole number.
 */
export function tradedValue(units: ValueUnits, terms: Terms): number {
  const { quoteFactor, quoteDivisor } = units;
  const value = terms.price * terms.amount * quoteFactor;
  if (!(value <= Number.MAX_SAFE_INTEGER)) return largeValue(units, { ...terms, rounding: 'down' });
  return quoteDivisor === 1 ? value : Math.floor(value / quoteDivisor);
}

/**
 * The value that a buy must freeze, in whole units of the quote currency, rounded up: in whatever
 * parts it fills, none costs more than it frees. Exact; NaN as `tradedValue`.
 */
export function costOf(units: ValueUnits, terms: Terms): number {
  const { quoteFactor, quoteDivisor } = units;
  const value = terms.price * terms.amount * quoteFactor;
  if (!(value <= Number.MAX_SAFE_INTEGER)) return largeValue(units, { ...terms, rounding: 'up' });
  if (quoteDivisor === 1) return value;
  return Math.floor(value / quoteDivisor) + (value % quoteDivisor > 0 ? 1 : 0);
}

/** Price x amount where a double does not hold it. */
function largeValue(
  { quoteFactor, quoteDivisor }: ValueUnits,
  { price, amount, rounding }: Terms & { readonly rounding: Rounding },
): number {
  // Nobody could pay more than that, and the factors might not be whole numbers.
  if (!(price * amount * quoteFactor < quoteDivisor * 2 ** 54)) return Number.NaN;
  const product = BigInt(price) * BigInt(amount) * BigInt(quoteFactor);
  const value = Number(divideRounded(product, BigInt(quoteDivisor), rounding));
  return value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}

function leastUnits(value: number, scale: number): number {
  return Number(Decimal.of(value).round(scale, 'up').units);
}
