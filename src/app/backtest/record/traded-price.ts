import {
  type Fill,
  isPrice,
  type Market,
  priceDecimal,
  tradedDecimal,
} from '../../../domain/index.ts';
import { Decimal } from '../../../kernel/index.ts';

/** Decimal places of money at most: the value of a trade is cut off behind those that it has. */
const MONEY_SCALE = 8;
/** Decimal places of an average, beyond those of its market's prices. */
const AVERAGED_SCALE = 8;

export interface PriceSources {
  readonly market: Market;
  /** The price of the last trade that was told of the order. */
  readonly lastPrice: number | undefined;
}

/**
 * The price of a fill as it traded: the value, which is cut off, over the amount is a little less.
 * Of trades at several prices it is the shortest average that comes to the value.
 */
export function tradedPrice(
  { amount, value, price }: Fill,
  { market, lastPrice }: PriceSources,
): number {
  const exact = tradedDecimal(market, amount);
  const lastPlace = new Decimal(1, Math.min(MONEY_SCALE, value.scale));
  const comesToIt = (tried: Decimal): boolean => {
    const cut = tried.times(exact).minus(value);
    return cut.sign >= 0 && cut.compare(lastPlace) < 0;
  };
  if (lastPrice !== undefined && comesToIt(exactPrice(market, lastPrice))) return lastPrice;
  for (let places = 0; places <= AVERAGED_SCALE; places++) {
    const average = value.dividedBy(exact, market.priceScale + places, 'up');
    if (comesToIt(average)) return average.toNumber();
  }
  return price;
}

/** By its digits where it is not on the market's scale. */
function exactPrice(market: Market, price: number): Decimal {
  return isPrice(market, price) ? priceDecimal(market, price) : Decimal.of(price);
}
