import { Decimal } from '../../kernel/index.ts';
import { currencyLimitsOf, isSetAnywhere } from '../config.ts';
import { openingOf } from '../opening.ts';
import { type Check, type RiskView, restingIn } from '../review.ts';
import { TradedValue } from '../traded-value.ts';

/**
 * What was traded today and all that rests, in every market of a quote currency, stay within the
 * most of a day; beyond it only what reduces leaves. Orders count by their own price: a sale may
 * fetch more.
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

/** What all live orders of a quote currency are worth. */
function openIn(quote: string, view: RiskView): Decimal {
  let sum = Decimal.ZERO;
  for (const market of view.markets.values()) {
    if (market.quote !== quote || view.orders.live(market.id).length === 0) continue;
    sum = sum.plus(restingIn(view, market).value);
  }
  return sum;
}
