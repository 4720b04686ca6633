import {
  type Fill,
  isPrice,
  type Market,
  priceDecimal,
  tradedDecimal,
} from '../../../domain/index.ts';
import { Decimal } from '../../../kernel/index.ts';

/** Most decimal places of money: the value of a trade is cut off after the last of its places. */
const MONEY_SCALE = 8;
/** Most decimal places of an average beyond those of its market's prices. */
const AVERAGED_SCALE = 8;

export interface PriceSources {
  readonly market: Market;
  /** The price of the order's last trade, if a push told it. */
  readonly lastPrice: number | undefined;
}

/**
 * The price that a fill traded at. Its value is cut off, so value over amount would be a little too
 * low. For trades at several prices it is the average with the fewest digits that gives the value.
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

/** A price as a decimal, digit by digit where it is not on the market's scale. */
function exactPrice(market: Market, price: number): Decimal {
  return isPrice(market, price) ? priceDecimal(market, price) : Decimal.of(price);
}
