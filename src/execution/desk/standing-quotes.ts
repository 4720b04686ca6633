import type { LiveOrder, QuotesIntent } from '../../domain/index.ts';
import { passing } from '../../kernel/index.ts';
import { type Difference, difference } from './difference.ts';
import type { DeskOptions, DeskParts } from './options.ts';
import { quoteSlots } from './quote-slots.ts';
import { ReplacedByQuotes } from './replaced.ts';
import { isTagged, kindOf } from './tags.ts';

/** The quotes that one strategy now wishes in one market. */
export class StandingQuotes {
  readonly #parts: DeskParts;
  readonly #options: DeskOptions;
  #replaced: ReplacedByQuotes | undefined;

  constructor(parts: DeskParts, options: DeskOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /**
   * Sets up the slots. `addsToStanding`: more of the standing wish may leave now; its standing part
   * stays as it is, and the other quotes get new slots.
   */
  wish(intent: QuotesIntent, { addsToStanding }: { readonly addsToStanding: boolean }): void {
    const { strategy, market, slots } = this.#parts;
    const { orders, config, positions } = this.#options;
    const standing = addsToStanding ? slots.quotes : [];
    const isHeld = ({ clientOrderId }: LiveOrder): boolean =>
      standing.some((slot) => slot.clientOrderId === clientOrderId);
    const all = orders.liveOf(strategy, market.id);
    const live = passing(all, (order) => !isTagged(order) && !isHeld(order));
    const { priceTolerance: price, amountTolerance: amount } = config;
    const own = passing(live, (order) => kindOf(order) === 'quotes');
    const tolerances = { price, amount };
    slots.quotes = quoteSlots(intent, { standing, former: slots.quotes, live: own, tolerances });
    if (!addsToStanding) {
      const { sign } = positions.position(market.id, strategy).amount;
      this.#replaced = new ReplacedByQuotes(live, sign);
    }
    for (const { clientOrderId } of slots.quotes) {
      if (clientOrderId !== undefined) this.#replaced?.keep(clientOrderId);
    }
  }

  /** What is missing beside these live orders of quotes and targets. */
  plan(live: readonly LiveOrder[]): Difference {
    const { market, slots } = this.#parts;
    this.#replaced?.cut(slots.quotes, { market, orders: this.#options.orders });
    return difference(slots.quotes, live);
  }
}
