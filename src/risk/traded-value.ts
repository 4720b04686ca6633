import type { Fill } from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { DayTurn } from './day.ts';
import type { RiskView } from './review.ts';

/** The value that this run has bought and sold since midnight UTC, by quote currency. Exact. */
export class TradedValue {
  readonly #view: RiskView;
  readonly #midnight: DayTurn;
  readonly #values = new Map<string, Decimal>();

  constructor(view: RiskView) {
    this.#view = view;
    this.#midnight = new DayTurn(view.day);
    view.orders.fills.subscribe((fill) => this.#add(fill));
  }

  /** Today's value so far. */
  of(currency: string): Decimal {
    if (this.#midnight.hasCome()) this.#values.clear();
    return this.#values.get(currency) ?? Decimal.ZERO;
  }

  #add({ market, value }: Fill): void {
    const quote = this.#view.markets.get(market)?.quote;
    if (quote !== undefined) this.#values.set(quote, this.of(quote).plus(value));
  }
}
