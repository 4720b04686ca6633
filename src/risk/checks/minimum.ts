import { orderValue } from '../../domain/index.ts';
import { Decimal, toUnits } from '../../kernel/index.ts';
import { chargedAhead } from '../../ledger/index.ts';
import { productOf } from '../exact.ts';
import type { WishedOrder } from '../exposure.ts';
import type { Check, Objection, Review } from '../review.ts';
import { ofEach } from './each.ts';

/** The exchange's least amount and least value of an order; a sell must also be worth its fee. */
export const minimum: Check = {
  code: 'belowMinimum',
  scope: 'order',
  ask: ofEach((order, review) => {
    const { price, amount } = order;
    const { rules } = review;
    const { market, minAmount, minValue, valueScale } = rules;
    const amountUnits = toUnits(amount, market.amountScale);
    if (new Decimal(amountUnits, market.amountScale).compare(minAmount) < 0) {
      return objection(`${market.minAmount} ${market.base}`, `${amount} ${market.base}`);
    }
    const value = productOf(toUnits(price, market.priceScale), amountUnits, valueScale);
    if (value.compare(minValue) >= 0) return belowFee(order, review);
    return objection(`${market.minSize} ${market.quote}`, `${value} ${market.quote}`);
  }),
};

/** A sell pays its fee out of what it brings in. */
function belowFee(order: WishedOrder, { rules, view }: Review): Objection | undefined {
  const { market } = rules;
  const { feeRates } = view;
  const fee = order.side === 'sell' ? chargedAhead(order, { market, feeRates }) : undefined;
  if (fee === undefined) return undefined;
  const value = orderValue(market, order);
  if (value.compare(fee) >= 0) return undefined;
  const limit = `its fee of ${fee} ${market.quote} at least`;
  return { limit, observed: `${value} ${market.quote}` };
}

function objection(least: string, observed: string): Objection {
  return { limit: `at least ${least}`, observed };
}
