import type { Fill } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { dayOf } from './day.ts';
import type { RiskView } from './review.ts';

/** What this run has traded since midnight UTC in each quote currency, bought and sold. Exact. */
export class TradedValue {
  readonly #view: RiskView;
  readonly #values = new Map<string, Decimal>();
  #day = Number.NEGATIVE_INFINITY;

  constructor(view: RiskView) {
    this.#view = view;
    view.orders.fills.subscribe((fill) => this.#add(fill));
  }

  /** Today so far. */
  of(currency: string): Decimal {
    this.#turnPage();
    return this.#values.get(currency) ?? Decimal.ZERO;
  }

  #add({ market, value }: Fill): void {
    const quote = this.#view.markets.get(market)?.quote;
    if (quote !== undefined) this.#values.set(quote, this.of(quote).plus(value));
  }

  #turnPage(): void {
    const today = dayOf(this.#view.clock.now());
    if (today === this.#day) return;
    this.#day = today;
    this.#values.clear();
  }
}
