import type { Refusal } from '../../domain/index.ts';
import { isExit } from '../exits.ts';
import type { WishedOrder } from '../exposure.ts';
import { openingOfIntent, openingOfOrder, openingOfSide } from '../opening.ts';
import type { Check, Review } from '../review.ts';

type Asked = Pick<Check, 'onIntent' | 'onOrder'>;

/** Asks about the whole, the same way for a wish and for an order that leaves. */
export function askBoth(ask: (review: Review) => Refusal | undefined): Asked {
  return { onIntent: ask, onOrder: ask };
}

/** Asks about what opens a position, or makes it grow or turn: what only shrinks it passes. */
export function askOpening(ask: (review: Review) => Refusal | undefined): Asked {
  return {
    onIntent: (review) => {
      const refusal = ask(review);
      return refusal && openingOfIntent(review) ? refusal : undefined;
    },
    onOrder: (review) => {
      const refusal = ask(review);
      return refusal && openingOfOrder(review) ? refusal : undefined;
    },
  };
}

/** Asks about all but orders that take at once and only shrink a position: those pass. */
export function askUnlessExit({ onIntent, onOrder }: Asked): Asked {
  return {
    onIntent: (review) => {
      const refusal = onIntent?.(review);
      const { intent } = review;
      const leaves = refusal !== undefined && intent.kind === 'order' && isExit(intent, review);
      return leaves ? undefined : refusal;
    },
    onOrder: (review) => {
      const refusal = onOrder?.(review);
      return refusal && !isExit(review.draft, review) ? refusal : undefined;
    },
  };
}

/** Asks about every order of a wish, and about the order that leaves. */
export function askEach(ask: (order: WishedOrder, review: Review) => Refusal | undefined): Asked {
  return {
    onIntent: (review) => {
      for (const order of review.wish) {
        const refusal = ask(order, review);
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
    onOrder: (review) => ask(review.draft, review),
  };
}

/** Asks each order about what it opens: one whose side only shrinks the position, or an exit, passes. */
export function askEachOpening(
  ask: (order: WishedOrder, review: Review) => Refusal | undefined,
): Asked {
  const orders = askEach((order, review) => {
    const refusal = ask(order, review);
    return refusal && openingOfSide(review, order.side) ? refusal : undefined;
  });
  return askUnlessExit(orders);
}
