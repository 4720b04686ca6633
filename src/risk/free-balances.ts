import {
  type Balance,
  isFinal,
  type LiveOrder,
  type Market,
  SIDES,
  type Side,
} from '../domain/index.ts';
import { Decimal, FewMap, passing } from '../kernel/index.ts';
import { chargedAhead } from '../ledger/index.ts';
import { Exposure, type OpenTerms } from './exposure.ts';
import { type RiskView, restingIn } from './review.ts';

/** How long after a fill its balances may still be under way, milliseconds. */
const NEWS_LAG_MS = 2_000;

interface HeldBack {
  readonly market: Market;
  readonly currency: string;
  readonly sums?: Exposure;
}

type RestingOrder = OpenTerms & Partial<Pick<LiveOrder, 'filledValue' | 'fee'>>;

/**
 * The free balances of the account.
 *
 * Free is the lesser of two views, so that a freeze counts whether or not the exchange has reported
 * it yet: the available balance less our orders without an exchange id, and the whole balance less
 * all resting orders, ours or not. An order of unknown fate is not taken off an available balance
 * told after it left: that balance shows its freeze already, and taking it off twice would keep an
 * exit in. Money of our order is free again once the exchange confirms its cancel, unless the
 * balance told by then may include it already.
 */
export class FreeBalances {
  readonly #view: RiskView;
  /** By order, the balance told when its cancel left: it cannot include the cancel yet. */
  readonly #cancels = new FewMap<string, Balance>();
  /** When a fill was last heard of, by side and market. */
  readonly #filledMs = { buy: new Map<string, number>(), sell: new Map<string, number>() };

  constructor(view: RiskView) {
    this.#view = view;
    view.orders.fills.subscribe(({ market, side }) =>
      this.#filledMs[side].set(market, view.clock.now()),
    );
  }

  /** Undefined while the balance is not known. */
  of(currency: string): Decimal | undefined {
    const told = this.#view.balances.get(currency);
    return told && this.#freeOf(told);
  }

  /**
   * Whether a fill in a market is so fresh that a currency's balance may not show it yet. A balance
   * told since, or at the same moment as by an in-process exchange, ends that; otherwise endless
   * fills would keep an exit in. Default: fills of both sides.
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
    // A repeated cancel keeps the first balance: the present one may already include the first's
    // effect.
    if (market === undefined || this.#cancels.has(clientOrderId)) return;
    const told = this.#view.balances.get(side === 'buy' ? market.quote : market.base);
    if (told !== undefined) this.#cancels.set(clientOrderId, told);
  }

  #freeOf(told: Balance): Decimal {
    const { currency, available, frozen } = told;
    const view = this.#view;
    let [all, unnamed] = [Decimal.ZERO, Decimal.ZERO];
    for (const market of view.markets.values()) {
      if (market.base !== currency && market.quote !== currency) continue;
      const [live, others] = [view.orders.live(market.id), view.orders.foreign.of(market.id)];
      // Of the hundreds of markets of an account few have orders.
      if (live.length + others.length === 0) continue;
      const own = this.#heldBack(live, { market, currency, sums: restingIn(view, market) });
      const foreign = this.#heldBack(others, { market, currency });
      const late = passing(live, (order) => this.#isUnnamed(order, currency));
      all = all.plus(own).plus(foreign);
      unnamed = unnamed.plus(this.#heldBack(late, { market, currency }));
    }
    const unfrozen = available.minus(unnamed).plus(this.#setFree(told));
    const unreserved = available.plus(frozen).minus(all);
    return unfrozen.compare(unreserved) < 0 ? unfrozen : unreserved;
  }

  #isUnnamed({ exchangeOrderId, status, createdTime }: LiveOrder, currency: string): boolean {
    if (exchangeOrderId !== undefined) return false;
    const { time = 0 } = this.#view.balances.newsOf(currency) ?? {};
    return status !== 'unknown' || time <= createdTime;
  }

  /**
   * What orders of a market hold back: the value of buys with their charges beyond a percentage, or
   * the amount of sells. `sums`: the orders' sums, if already known.
   */
  #heldBack(
    orders: readonly RestingOrder[],
    { market, currency, sums = Exposure.ofLive(orders, market) }: HeldBack,
  ): Decimal {
    if (orders.length === 0) return Decimal.ZERO;
    if (currency === market.base) {
      const units = Math.min(sums.sell.amountUnits, Number.MAX_SAFE_INTEGER);
      return new Decimal(units, market.amountScale);
    }
    const { feeRates } = this.#view;
    let held = sums.buy.value;
    if (feeRates.charges === undefined) return held;
    for (const order of orders) {
      if (order.side === 'buy') held = held.plus(chargedAhead(order, { market, feeRates })!);
    }
    return held;
  }

  /** Money freed by cancels that left after the exchange told the balance. */
  #setFree(told: Balance): Decimal {
    if (this.#cancels.size === 0) return Decimal.ZERO;
    let freed = Decimal.ZERO;
    for (const clientOrderId of this.#cancels.keys()) {
      const before = this.#cancels.get(clientOrderId)!;
      if (before.currency !== told.currency) continue;
      const order = this.#view.orders.get(clientOrderId);
      if (order !== undefined && !isFinal(order)) continue;
      const market = order && this.#view.markets.get(order.market);
      if (before === told && order?.status === 'cancelled' && market !== undefined) {
        freed = freed.plus(this.#heldBack([order], { market, currency: told.currency }));
      } else this.#cancels.delete(clientOrderId);
    }
    return freed;
  }
}
