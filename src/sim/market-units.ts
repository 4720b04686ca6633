import type { Market } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import type { Currencies } from './currencies.ts';

/** Whole units of one market: what the book and the balances count in. */
export interface MarketUnits {
  readonly market: Market;
  /** Places of the market's currencies among the exchange's. */
  readonly base: number;
  readonly quote: number;
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
  return {
    market,
    base: currencies.indexOf(market.base),
    quote: currencies.indexOf(market.quote),
    baseFactor: 10 ** (currencies.scaleOf(market.base) - market.amountScale),
    quoteFactor: 10 ** (currencies.scaleOf(market.quote) - valueScale),
    valueScale,
    minAmount: leastUnits(market.minAmount, market.amountScale),
    minValue: leastUnits(market.minSize, valueScale),
  };
}

function leastUnits(value: number, scale: number): number {
  return Number(Decimal.of(value).round(scale, 'up').units);
}
