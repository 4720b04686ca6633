import { isExit } from '../exits.ts';
import type { WishedOrder } from '../exposure.ts';
import { openingOf, openingOfSide } from '../opening.ts';
import type { Ask, Objection, Review } from '../review.ts';

type AskOrder = (order: WishedOrder, review: Review) => Objection | undefined;

/**
 * Applies a check only to what opens a position, or makes it grow or turn: what only shrinks it
 * passes.
 */
export function ofOpening(ask: Ask): Ask {
  return (review) => {
    const objection = ask(review);
    return objection && openingOf(review) ? objection : undefined;
  };
}

/** Applies a check to all but exits: IOC orders that only shrink a position pass. */
export function unlessExit(ask: Ask): Ask {
  return (review) => {
    const objection = ask(review);
    return objection && !isExit(review) ? objection : undefined;
  };
}

/** Applies a check to every order of a wish, or to the order that leaves. */
export function ofEach(ask: AskOrder): Ask {
  return (review) => {
    for (const order of review.wish) {
      const objection = ask(order, review);
      if (objection !== undefined) return objection;
    }
    return undefined;
  };
}

/**
 * Applies a check to each order that opens: one whose side only shrinks the position, or an exit,
 * passes.
 */
export function ofEachOpening(ask: AskOrder): Ask {
  const ofOrders = ofEach((order, review) => {
    const objection = ask(order, review);
    return objection && openingOfSide(review, order.side) ? objection : undefined;
  });
  return unlessExit(ofOrders);
}
