import type { Refusal } from '../../domain/index.ts';
import { Decimal, toUnits } from '../../kernel/index.ts';
import { productOf } from '../exact.ts';
import type { Check } from '../review.ts';
import { ofEach } from './each.ts';

/** The most that one order may trade. */
export const maximum: Check = {
  code: 'aboveMaximum',
  ask: ofEach(({ price, amount }, { rules }) => {
    const { market, limits, orderAmountMax, orderValueMax, valueScale } = rules;
    const amountUnits = toUnits(amount, market.amountScale);
    if (
      orderAmountMax &&
      new Decimal(amountUnits, market.amountScale).compare(orderAmountMax) > 0
    ) {
      return refusal(`${limits.orderAmountMax} ${market.base}`, `${amount} ${market.base}`);
    }
    const value = productOf(toUnits(price, market.priceScale), amountUnits, valueScale);
    if (value.compare(orderValueMax) <= 0) return undefined;
    return refusal(`${limits.orderValueMax} ${market.quote}`, `${value} ${market.quote}`);
  }),
};

function refusal(most: string, observed: string): Refusal {
  return { code: 'aboveMaximum', limit: `at most ${most}`, observed, scope: 'order' };
}
