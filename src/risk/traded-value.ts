import type { Fill } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { DayTurn } from './day.ts';
import type { RiskView } from './review.ts';

/** What this run has traded since midnight UTC in each quote currency, bought and sold. Exact. */
export class TradedValue {
  readonly #view: RiskView;
  readonly #midnight: DayTurn;
  readonly #values = new Map<string, Decimal>();

  constructor(view: RiskView) {
    this.#view = view;
    this.#midnight = new DayTurn(view.day);
    view.orders.fills.subscribe((fill) => this.#add(fill));
  }

  /** Today so far. */
  of(currency: string): Decimal {
    if (this.#midnight.hasCome()) this.#values.clear();
    return this.#values.get(currency) ?? Decimal.ZERO;
  }

  #add({ market, value }: Fill): void {
    const quote = this.#view.markets.get(market)?.quote;
    if (quote !== undefined) this.#values.set(quote, this.of(quote).plus(value));
  }
}
