import type { Market } from '../domain/index.ts';
import { Decimal, powerOfTen } from '../kernel/index.ts';
import type { Currencies } from './currencies.ts';

/** Whole units of one market: what the book and the balances count in. */
export interface MarketUnits {
  readonly market: Market;
  /** Places of the market's currencies among the exchange's. */
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
  /** Units of the quote currency in one unit of price x one unit of amount. */
  readonly quoteFactor: number;
  /** Decimal places of price x amount. */
  readonly valueScale: number;
  /** Least amount and least value of an order, in units of amount and of price x amount. */
  readonly minAmount: number;
  readonly minValue: number;
}

/** The units of a market on an exchange with those currencies. */
export function marketUnits(market: Market, currencies: Currencies): MarketUnits {
  const valueScale = market.priceScale + market.amountScale;
  const baseScale = currencies.scaleOf(market.base);
  const quoteScale = currencies.scaleOf(market.quote);
  return {
    market,
    base: currencies.indexOf(market.base),
    quote: currencies.indexOf(market.quote),
    priceFactor: Number(powerOfTen(market.priceScale)),
    amountFactor: Number(powerOfTen(market.amountScale)),
    baseScale,
    quoteScale,
    baseFactor: 10 ** (baseScale - market.amountScale),
    quoteFactor: 10 ** (quoteScale - valueScale),
    valueScale,
    minAmount: leastUnits(market.minAmount, market.amountScale),
    minValue: leastUnits(market.minSize, valueScale),
  };
}

function leastUnits(value: number, scale: number): number {
  return Number(Decimal.of(value).round(scale, 'up').units);
}
