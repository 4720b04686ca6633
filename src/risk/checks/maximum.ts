import type { Refusal } from '../../domain/index.ts';
import { toUnits } from '../../kernel/index.ts';
import { ExactSum } from '../exact.ts';
import type { Check } from '../review.ts';
import { ofEach } from './each.ts';

/** The most that one order may trade. */
export const maximum: Check = {
  code: 'aboveMaximum',
  ask: ofEach(({ price, amount }, { rules }) => {
    const { market, limits, orderAmountMax, orderValueMax, valueScale } = rules;
    const amountUnits = toUnits(amount, market.amountScale);
    if (orderAmountMax && new ExactSum().add(amountUnits).compare(orderAmountMax) > 0) {
      return refusal(`${limits.orderAmountMax} ${market.base}`, `${amount} ${market.base}`);
    }
    const value = new ExactSum().add(toUnits(price, market.priceScale), amountUnits);
    if (value.compare(orderValueMax) <= 0) return undefined;
    const observed = `${value.toText(valueScale)} ${market.quote}`;
    return refusal(`${limits.orderValueMax} ${market.quote}`, observed);
  }),
};

function refusal(most: string, observed: string): Refusal {
  return { code: 'aboveMaximum', limit: `at most ${most}`, observed, scope: 'order' };
}
