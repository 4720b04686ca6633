import { exchangeOrderIdOf, type LiveOrder, type OrderTerms } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { ExactSum } from './exact.ts';
import { unitsAbove } from './exposure.ts';
import type { RiskView } from './review.ts';

/** What orders hold back of one currency: the value of buys, the amount of sells. */
export interface Reserved {
  /** By all live orders, and by open ones that are not ours. */
  readonly all: Decimal;
  /** By those of ours that the exchange has not named yet. */
  readonly unnamed: Decimal;
}

type RestingOrder = OrderTerms & Pick<LiveOrder, 'filledAmount'>;

/** Sums up reservations, and remembers the sums until an order changes. */
export class Reservations {
  readonly #sums = new Map<string, Reserved>();
  #revision = -1;

  of(currency: string, view: RiskView): Reserved {
    const { orders } = view;
    if (this.#revision !== orders.revision) {
      this.#sums.clear();
      this.#revision = orders.revision;
    }
    let reserved = this.#sums.get(currency);
    if (reserved === undefined) {
      reserved = sumOf(currency, view);
      this.#sums.set(currency, reserved);
    }
    return reserved;
  }
}

function sumOf(currency: string, view: RiskView): Reserved {
  const all = new ScaledSum();
  const unnamed = new ScaledSum();
  for (const order of view.orders.allLive()) {
    all.addReserved(order, { currency, view });
    if (exchangeOrderIdOf(order) === undefined) unnamed.addReserved(order, { currency, view });
  }
  for (const record of view.orders.allForeign()) all.addReserved(record, { currency, view });
  return { all: all.total(), unnamed: unnamed.total() };
}

/** An exact sum of orders of markets with different scales: one sum for each scale. */
class ScaledSum {
  readonly #sums = new Map<number, ExactSum>();

  addReserved(
    order: RestingOrder,
    { currency, view }: { readonly currency: string; readonly view: RiskView },
  ): void {
    const rules = view.rules.of(order.market);
    if (rules === undefined) return;
    const { market, valueScale } = rules;
    const { base, quote, priceScale, amountScale } = market;
    const buys = order.side === 'buy';
    if ((buys ? quote : base) !== currency) return;
    const rest = unitsAbove(Math.max(0, order.amount - order.filledAmount), amountScale);
    if (buys) this.#at(valueScale).add(unitsAbove(order.price, priceScale), rest);
    else this.#at(amountScale).add(rest);
  }

  total(): Decimal {
    let total = Decimal.ZERO;
    for (const [scale, sum] of this.#sums) total = total.plus(new Decimal(sum.units, scale));
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
