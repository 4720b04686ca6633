import { Decimal } from '../../kernel/index.ts';
import { ExactSum } from '../exact.ts';
import type { FreeBalances } from '../free-balances.ts';
import type { Check } from '../review.ts';

/**
 * The free balance pays for the order.
 *
 * Asked when an order leaves, not of wishes: one side that cannot be paid must not end the other.
 */
export function balance(balances: FreeBalances): Check {
  return {
    code: 'balance',
    scope: 'account',
    describe: 'Refuses an order that the free balance, net of reservations, does not pay for.',
    onOrder: ({ draft, added, rules: { market, valueScale } }) => {
      const buys = draft.side === 'buy';
      const currency = buys ? market.quote : market.base;
      const scale = buys ? valueScale : market.amountScale;
      const cost = buys ? added.buy.value : new ExactSum().add(added.sell.amountUnits);
      const free = balances.unitsOf(currency, scale);
      if (free !== undefined && cost.compare(free) <= 0) return undefined;
      const most =
        free === undefined ? 'a known balance of' : `at most ${new Decimal(free.units, scale)}`;
      return {
        code: 'balance',
        limit: `${most} ${currency}`,
        observed: `${cost.toText(scale)} ${currency}`,
        scope: 'account',
      };
    },
  };
}
