import { Decimal, toUnits } from '../../kernel/index.ts';
import { productOf } from '../exact.ts';
import type { Check, Objection } from '../review.ts';
import { ofEach } from './each.ts';

/** The most that one order may trade. */
export const maximum: Check = {
  code: 'aboveMaximum',
  scope: 'order',
  ask: ofEach(({ price, amount }, { rules }) => {
    const { market, limits, orderAmountMax, orderValueMax, valueScale } = rules;
    const amountUnits = toUnits(amount, market.amountScale);
    if (
      orderAmountMax &&
      new Decimal(amountUnits, market.amountScale).compare(orderAmountMax) > 0
    ) {
      return objection(`${limits.orderAmountMax} ${market.base}`, `${amount} ${market.base}`);
    }
    const value = productOf(toUnits(price, market.priceScale), amountUnits, valueScale);
    if (value.compare(orderValueMax) <= 0) return undefined;
    return objection(`${limits.orderValueMax} ${market.quote}`, `${value} ${market.quote}`);
  }),
};

function objection(most: string, observed: string): Objection {
  return { limit: `at most ${most}`, observed };
}
