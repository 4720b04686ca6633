import type { Refusal } from '../../domain/index.ts';
import { toUnits } from '../../kernel/index.ts';
import { ExactSum } from '../exact.ts';
import type { Check } from '../review.ts';
import { askEach } from './each.ts';

/** The exchange's own least amount and least value of an order. */
export const minimum: Check = {
  code: 'belowMinimum',
  scope: 'order',
  describe: "Refuses orders below the market's least amount or least value.",
  ...askEach(({ price, amount }, { rules }) => {
    const { market, minAmount, minValue, valueScale } = rules;
    const amountUnits = toUnits(amount, market.amountScale);
    if (new ExactSum().add(amountUnits).compare(minAmount) < 0) {
      return refusal(`${market.minAmount} ${market.base}`, `${amount} ${market.base}`);
    }
    const value = new ExactSum().add(toUnits(price, market.priceScale), amountUnits);
    if (value.compare(minValue) >= 0) return undefined;
    const observed = `${value.toText(valueScale)} ${market.quote}`;
    return refusal(`${market.minSize} ${market.quote}`, observed);
  }),
};

function refusal(least: string, observed: string): Refusal {
  return { code: 'belowMinimum', limit: `at least ${least}`, observed, scope: 'order' };
}
