import {
  type Balance,
  isFinal,
  type LiveOrder,
  type OrderTerms,
  SIDES,
  type Side,
} from '../domain/index.ts';
import { Decimal, FewMap } from '../kernel/index.ts';
import { chargedAhead } from '../ledger/index.ts';
import { type ExactLimit, ExactSum, exactLimit } from './exact.ts';
import { unitsAbove, unitsBelow } from './exposure.ts';
import type { RiskView } from './review.ts';

/** What is free of one currency, as worked out of a balance and all orders at one revision. */
interface FreeBalance {
  readonly told: Balance;
  readonly free: Decimal;
  /** The same in whole units of each scale that was asked for, rounded down. */
  readonly limits: FewMap<number, ExactLimit>;
}

/** How long after a fill its balances may still be under way, milliseconds. */
const NEWS_LAG_MS = 2_000;

type RestingOrder = OrderTerms &
  Pick<LiveOrder, 'filledAmount'> &
  Partial<Pick<LiveOrder, 'filledValue' | 'fee'>>;

/**
 * The free balances of the account, remembered until an order or the balance changes.
 *
 * Free is the lesser of two views, so that a freeze counts whether the exchange has reported it yet
 * or not: what it calls available less our orders that it has not named yet; and all there is less
 * all that rests, ours or not. Of an order whose fate is unknown a balance that was told since it left
 * shows what it froze, if it rests: taken off once more that would keep an exit in. What an order of
 * ours held back is available again from the moment at which the exchange says that it is cancelled,
 * unless the balance told by then may hold that already.
 */
export class FreeBalances {
  readonly #view: RiskView;
  readonly #known = new FewMap<string, FreeBalance>();
  /** By order, the balance that was told when its cancel left: it cannot know of that yet. */
  readonly #cancels = new FewMap<string, Balance>();
  /** When a fill was last heard of, by side and market. */
  readonly #filledMs = { buy: new Map<string, number>(), sell: new Map<string, number>() };
  #revision = -1;

  constructor(view: RiskView) {
    this.#view = view;
    view.orders.fills.subscribe(({ market, side }) =>
      this.#filledMs[side].set(market, view.clock.now()),
    );
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

  /** Undefined while the balance is not known. */
  of(currency: string): Decimal | undefined {
    return this.#of(currency)?.free;
  }

  /**
   * Whether a fill in a market is so fresh that the balance of a currency may not show it yet: none was
   * told since, nor in its moment, as an exchange in process does, or fills that never end would keep an
   * exit in. Default: of any side.
   */
  isAwaiting(
    market: string,
    { currency, sides = SIDES }: { readonly currency: string; readonly sides?: readonly Side[] },
  ): boolean {
    const { balances, clock } = this.#view;
    const nowMs = clock.now();
    const toldMs = balances.newsOf(currency)?.time ?? 0;
    return sides.some((side) => {
      const filledMs = this.#filledMs[side].get(market) ?? Number.NEGATIVE_INFINITY;
      return filledMs > toldMs && nowMs - filledMs < NEWS_LAG_MS;
    });
  }

  /** The cancel of an order is about to leave. */
  cancelLeaves({ clientOrderId, market: id, side }: LiveOrder): void {
    const market = this.#view.rules.of(id)?.market;
    // One that leaves again may find that the first did its work, and that the balance knows it.
    if (market === undefined || this.#cancels.has(clientOrderId)) return;
    const told = this.#view.balances.get(side === 'buy' ? market.quote : market.base);
    if (told !== undefined) this.#cancels.set(clientOrderId, told);
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
      known = { told, free: this.#freeOf(told), limits: new FewMap() };
      this.#known.set(currency, known);
    }
    return known;
  }

  #freeOf(told: Balance): Decimal {
    const { currency, available, frozen } = told;
    const { orders } = this.#view;
    const all = new ReservedSum(currency, this.#view);
    const unnamed = new ReservedSum(currency, this.#view);
    if (orders.liveCount > 0) {
      for (const order of orders.allLive()) {
        all.add(order);
        if (this.#isUnnamed(order, currency)) unnamed.add(order);
      }
    }
    for (const record of orders.allForeign()) all.add(record);
    const unfrozen = available.minus(unnamed.total()).plus(this.#setFree(told));
    const unreserved = available.plus(frozen).minus(all.total());
    return unfrozen.compare(unreserved) < 0 ? unfrozen : unreserved;
  }

  #isUnnamed({ exchangeOrderId, status, createdTime }: LiveOrder, currency: string): boolean {
    if (exchangeOrderId !== undefined) return false;
    const { time = 0 } = this.#view.balances.newsOf(currency) ?? {};
    return status !== 'unknown' || time <= createdTime;
  }

  /** What the exchange has set free by cancels that left after it told the balance. */
  #setFree(told: Balance): Decimal {
    if (this.#cancels.size === 0) return Decimal.ZERO;
    const freed = new ReservedSum(told.currency, this.#view);
    for (const clientOrderId of this.#cancels.keys()) {
      const before = this.#cancels.get(clientOrderId)!;
      if (before.currency !== told.currency) continue;
      const order = this.#view.orders.get(clientOrderId);
      if (order !== undefined && !isFinal(order)) continue;
      if (before === told && order?.status === 'cancelled') freed.add(order);
      else this.#cancels.delete(clientOrderId);
    }
    return freed.total();
  }
}

/**
 * What orders hold back of one currency, the value of buys, with what they are charged beyond shares,
 * and the amount of sells: an exact sum for each scale that their markets have.
 */
class ReservedSum {
  readonly #currency: string;
  readonly #view: RiskView;
  readonly #sums = new FewMap<number, ExactSum>();
  #charged = Decimal.ZERO;

  constructor(currency: string, view: RiskView) {
    this.#currency = currency;
    this.#view = view;
  }

  add(order: RestingOrder): void {
    const { market: id, side, price, amount, filledAmount } = order;
    const rules = this.#view.rules.of(id);
    if (rules === undefined) return;
    const { base, quote, priceScale, amountScale } = rules.market;
    if ((side === 'buy' ? quote : base) !== this.#currency) return;
    const filled = unitsBelow(filledAmount, amountScale);
    const rest = Math.max(0, unitsAbove(amount, amountScale) - filled);
    if (side === 'sell') {
      this.#at(amountScale).add(rest);
      return;
    }
    this.#at(rules.valueScale).add(unitsAbove(price, priceScale), rest);
    const { feeRates } = this.#view;
    const charged = chargedAhead(order, { market: rules.market, feeRates });
    if (charged !== undefined) this.#charged = this.#charged.plus(charged);
  }

  total(): Decimal {
    let total = this.#charged;
    for (const scale of this.#sums.keys()) {
      total = total.plus(this.#sums.get(scale)!.toDecimal(scale));
    }
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
