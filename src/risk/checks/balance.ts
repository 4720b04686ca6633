import { amountDecimal, type Market, orderValue } from '../../domain/index.ts';
import type { Decimal } from '../../kernel/index.ts';
import type { WishedOrder } from '../exposure.ts';
import { Reservations } from '../reservations.ts';
import type { Check, RiskView } from '../review.ts';

/**
 * The free balance pays for the order.
 *
 * Asked when an order leaves, not of wishes: one side that cannot be paid must not end the other.
 */
export function balance(): Check {
  const reservations = new Reservations();
  return {
    code: 'balance',
    scope: 'account',
    describe: 'Refuses an order that the free balance, net of reservations, does not pay for.',
    onOrder: ({ draft, view, rules: { market } }) => {
      const currency = draft.side === 'buy' ? market.quote : market.base;
      const needed = costOf(draft, market);
      const free = freeOf({ currency, view, reservations });
      if (free !== undefined && needed.compare(free) <= 0) return undefined;
      return {
        code: 'balance',
        limit:
          free === undefined ? `a known balance of ${currency}` : `at most ${free} ${currency}`,
        observed: `${needed} ${currency}`,
        scope: 'account',
      };
    },
  };
}

function costOf(order: WishedOrder, market: Market): Decimal {
  return order.side === 'buy' ? orderValue(market, order) : amountDecimal(market, order.amount);
}

/**
 * The lesser of two views, so that a freeze counts whether the exchange has reported it yet or not:
 * what it calls available less our orders that it has not named yet; and all there is less all that
 * rests. Undefined while no balance is known.
 */
function freeOf(options: {
  readonly currency: string;
  readonly view: RiskView;
  readonly reservations: Reservations;
}): Decimal | undefined {
  const { currency, view, reservations } = options;
  const told = view.balances.get(currency);
  if (told === undefined) return undefined;
  const { unnamed, all } = reservations.of(currency, view);
  const available = told.available.minus(unnamed);
  const unreserved = told.available.plus(told.frozen).minus(all);
  return available.compare(unreserved) < 0 ? available : unreserved;
}
