import { Decimal } from '../../kernel/index.ts';
import { currencyLimitsOf, isSetAnywhere } from '../config.ts';
import { openingOf } from '../opening.ts';
import { type Check, type RiskView, restingIn } from '../review.ts';
import { TradedValue } from '../traded-value.ts';

/**
 * Bounds the value traded today plus all resting orders, over all markets of a quote currency;
 * beyond the limit only orders that shrink a position leave. Orders count at their own price: a
 * sale may fetch more.
 */
export function dailyValue(view: RiskView): Check {
  const check = { code: 'dailyValue', scope: 'account' } as const;
  if (!isSetAnywhere(view.config, 'tradedValuePerDayMax')) return check;
  const traded = new TradedValue(view);
  return {
    ...check,
    onOrder: (review) => {
      const { quote } = review.rules.market;
      const { tradedValuePerDayMax: most } = currencyLimitsOf(view.config, quote);
      if (most === undefined) return undefined;
      const value = traded.of(quote).plus(openIn(quote, view)).plus(review.added.value);
      if (value.compare(Decimal.of(most)) <= 0) return undefined;
      if (openingOf(review) === undefined) return undefined;
      return { limit: `at most ${most} ${quote} a day`, observed: `${value} ${quote}` };
    },
  };
}

/** The value of all live orders of a quote currency. */
function openIn(quote: string, view: RiskView): Decimal {
  let sum = Decimal.ZERO;
  for (const market of view.markets.values()) {
    if (market.quote !== quote || view.orders.live(market.id).length === 0) continue;
    sum = sum.plus(restingIn(view, market).value);
  }
  return sum;
}
