import { Decimal } from '../../kernel/index.ts';
import { chargedAhead } from '../../ledger/index.ts';
import type { FreeBalances } from '../free-balances.ts';
import type { Check, Objection, OrderReview } from '../review.ts';

/**
 * The free balance must pay for the order.
 *
 * Asked of orders that leave, not of wishes: a side that cannot be paid must not end the other.
 */
export function balance(balances: FreeBalances): Check {
  return {
    code: 'balance',
    scope: 'account',
    onOrder: (review) => {
      const { draft, added, rules, view } = review;
      const { market, valueScale } = rules;
      const buys = draft.side === 'buy';
      const fee = buys ? chargedAhead(draft, { market, feeRates: view.feeRates }) : undefined;
      if (fee !== undefined) return withFee(review, { fee, balances });
      const currency = buys ? market.quote : market.base;
      const scale = buys ? valueScale : market.amountScale;
      const cost = buys ? added.buy.value : new Decimal(added.sell.amountUnits, scale);
      const free = balances.of(currency);
      if (free !== undefined && cost.compare(free) <= 0) return undefined;
      return objection(`${cost} ${currency}`, { most: free?.round(scale, 'down'), currency });
    },
  };
}

/** Judges a buy that is charged more than a percentage of its trades. */
function withFee(
  { added, rules: { market } }: OrderReview,
  { fee, balances }: { readonly fee: Decimal; readonly balances: FreeBalances },
): Objection | undefined {
  const { quote: currency } = market;
  const cost = added.buy.value.round(fee.scale, 'up').plus(fee);
  const most = balances.of(currency);
  if (most !== undefined && cost.compare(most) <= 0) return undefined;
  return objection(`${cost} ${currency}, its fee of ${fee} included`, { most, currency });
}

function objection(
  observed: string,
  { most, currency }: { readonly most: Decimal | undefined; readonly currency: string },
): Objection {
  // A freeze told before the answer to its order counts twice for a moment.
  const free = most !== undefined && most.sign < 0 ? Decimal.ZERO : most;
  const limit = free === undefined ? 'a known balance of' : `at most ${free}`;
  return { limit: `${limit} ${currency}`, observed };
}
