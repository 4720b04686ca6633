import type { Refusal } from '../../domain/index.ts';
import { isExit } from '../exits.ts';
import type { WishedOrder } from '../exposure.ts';
import { openingOf, openingOfSide } from '../opening.ts';
import type { Ask, Review } from '../review.ts';

type AskOrder = (order: WishedOrder, review: Review) => Refusal | undefined;

/** Asks about what opens a position, or makes it grow or turn: what only shrinks it passes. */
export function ofOpening(ask: Ask): Ask {
  return (review) => {
    const refusal = ask(review);
    return refusal && openingOf(review) ? refusal : undefined;
  };
}

/** Asks about all but orders that take at once and only shrink a position: those pass. */
export function unlessExit(ask: Ask): Ask {
  return (review) => {
    const refusal = ask(review);
    return refusal && !isExit(review) ? refusal : undefined;
  };
}

/** Asks about every order of a wish, and about the order that leaves. */
export function ofEach(ask: AskOrder): Ask {
  return (review) => {
    for (const order of review.wish) {
      const refusal = ask(order, review);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  };
}

/** Asks each order about what it opens: one whose side only shrinks the position, or an exit, passes. */
export function ofEachOpening(ask: AskOrder): Ask {
  const ofOrders = ofEach((order, review) => {
    const refusal = ask(order, review);
    return refusal && openingOfSide(review, order.side) ? refusal : undefined;
  });
  return unlessExit(ofOrders);
}
