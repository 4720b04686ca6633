import type { LiveOrder, Quote, QuotesIntent, Side } from '../../domain/index.ts';
import { passing } from '../../kernel/index.ts';
import { pairQuotes, type Tolerances } from './quote-pairs.ts';
import { Slot } from './slot.ts';
import { quoteTag } from './tags.ts';

export interface QuoteSlotsParts {
  /** Slots of the same wish that stand. They stay, with what is left of their amounts. */
  readonly standing: readonly Slot[];
  /** Slots of the former wish, whose pauses go on for the same quotes. */
  readonly former: readonly Slot[];
  /** Live orders of quotes that belong to no standing slot. */
  readonly live: readonly LiveOrder[];
  readonly tolerances: Tolerances;
}

/** A slot for each quote, its standing one or a new one, followed by the other standing slots. */
export function quoteSlots(intent: QuotesIntent, parts: QuoteSlotsParts): readonly Slot[] {
  const { former, live, tolerances } = parts;
  const standing = [...parts.standing];
  const type = intent.postOnly ? 'postOnly' : 'limit';
  const slotsOf = (side: Side, quotes: readonly Quote[]): Slot[] => {
    const orders = passing(live, (order) => order.side === side);
    const pairs = pairQuotes(quotes, { orders, tolerances });
    return quotes.map(({ price, amount }, index) => {
      const terms = { side, type, price, amount, tag: quoteTag(side, index) } as const;
      const own = standing.findIndex((other) => other.isFor(terms));
      if (own >= 0) return standing.splice(own, 1)[0]!;
      const slot = new Slot(terms);
      slot.clientOrderId = pairs[index]?.clientOrderId;
      const same = former.find((other) => other.isEmpty && other.equals(slot));
      if (same !== undefined) slot.inherit(same);
      return slot;
    });
  };
  return [...slotsOf('buy', intent.bids), ...slotsOf('sell', intent.asks), ...standing];
}
