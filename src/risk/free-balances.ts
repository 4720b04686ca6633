import {
  type Balance,
  exchangeOrderIdOf,
  type LiveOrder,
  type OrderTerms,
} from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { type ExactLimit, ExactSum, exactLimit } from './exact.ts';
import { unitsAbove, unitsBelow } from './exposure.ts';
import type { RiskView } from './review.ts';

/** What is free of one currency, as worked out of a balance and all orders at one revision. */
interface FreeBalance {
  readonly told: Balance;
  readonly free: Decimal;
  /** The same in whole units of each scale that was asked for, rounded down. */
  readonly limits: Map<number, ExactLimit>;
}

type RestingOrder = OrderTerms & Pick<LiveOrder, 'filledAmount'>;

/**
 * The free balances of the account, remembered until an order or the balance changes.
 *
 * Free is the lesser of two views, so that a freeze counts whether the exchange has reported it yet
 * or not: what it calls available less our orders that it has not named yet; and all there is less
 * all that rests, ours or not.
 */
export class FreeBalances {
  readonly #view: RiskView;
  readonly #known = new Map<string, FreeBalance>();
  #revision = -1;

  constructor(view: RiskView) {
    this.#view = view;
  }

  /** In whole units of 10^-scale, rounded down; undefined while the balance is not known. */
  unitsOf(currency: string, scale: number): ExactLimit | undefined {
    const balance = this.#of(currency);
    if (balance === undefined) return undefined;
    let limit = balance.limits.get(scale);
    if (limit === undefined) {
      limit = exactLimit(balance.free, { scale, rounding: 'down' });
      balance.limits.set(scale, limit);
    }
    return limit;
  }

  #of(currency: string): FreeBalance | undefined {
    const { orders, balances } = this.#view;
    const told = balances.get(currency);
    if (told === undefined) return undefined;
    if (this.#revision !== orders.revision) {
      this.#known.clear();
      this.#revision = orders.revision;
    }
    let known = this.#known.get(currency);
    if (known === undefined || known.told !== told) {
      known = { told, free: this.#freeOf(told), limits: new Map() };
      this.#known.set(currency, known);
    }
    return known;
  }

  #freeOf({ currency, available, frozen }: Balance): Decimal {
    const { orders } = this.#view;
    const all = new ReservedSum(currency, this.#view);
    const unnamed = new ReservedSum(currency, this.#view);
    for (const order of orders.allLive()) {
      all.add(order);
      if (exchangeOrderIdOf(order) === undefined) unnamed.add(order);
    }
    for (const record of orders.allForeign()) all.add(record);
    const unfrozen = available.minus(unnamed.total());
    const unreserved = available.plus(frozen).minus(all.total());
    return unfrozen.compare(unreserved) < 0 ? unfrozen : unreserved;
  }
}

/**
 * What orders hold back of one currency, the value of buys and the amount of sells: an exact sum
 * for each scale that their markets have.
 */
class ReservedSum {
  readonly #currency: string;
  readonly #view: RiskView;
  readonly #sums = new Map<number, ExactSum>();

  constructor(currency: string, view: RiskView) {
    this.#currency = currency;
    this.#view = view;
  }

  add({ market: id, side, price, amount, filledAmount }: RestingOrder): void {
    const rules = this.#view.rules.of(id);
    if (rules === undefined) return;
    const { base, quote, priceScale, amountScale } = rules.market;
    if ((side === 'buy' ? quote : base) !== this.#currency) return;
    const filled = unitsBelow(filledAmount, amountScale);
    const rest = Math.max(0, unitsAbove(amount, amountScale) - filled);
    if (side === 'buy') this.#at(rules.valueScale).add(unitsAbove(price, priceScale), rest);
    else this.#at(amountScale).add(rest);
  }

  total(): Decimal {
    let total = Decimal.ZERO;
    for (const [scale, sum] of this.#sums) total = total.plus(sum.toDecimal(scale));
    return total;
  }

  #at(scale: number): ExactSum {
    let sum = this.#sums.get(scale);
    if (sum === undefined) {
      sum = new ExactSum();
      this.#sums.set(scale, sum);
    }
    return sum;
  }
}
