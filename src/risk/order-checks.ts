import type { Refusal } from '../domain/index.ts';
import { CUTS, trimExit } from './exits.ts';
import type { FreeBalances } from './free-balances.ts';
import { type Check, type OrderReview, refusalBy } from './review.ts';

/** Why a part of an exit may wait where the whole of it was refused for another reason. */
const ENDS_SOON: ReadonlySet<string> = new Set(['orderRate', 'selfCross']);

/** A part of an exit that may leave, and why the rest may not. */
export interface Cut {
  readonly review: OrderReview;
  readonly refusal: Refusal;
}

export function isCut(answer: Cut | Refusal): answer is Cut {
  return 'review' in answer;
}

/** What checks say of orders that are about to leave: exits are cut down to what may. */
export class OrderChecks {
  readonly #balances: FreeBalances;
  readonly #asked: readonly {
    readonly check: Check;
    readonly ask: NonNullable<Check['onOrder']>;
  }[];
  readonly #told: readonly NonNullable<Check['onPassed']>[];

  constructor(checks: readonly Check[], balances: FreeBalances) {
    this.#balances = balances;
    this.#asked = checks.flatMap((check) => {
      const ask = check.ask ?? check.onOrder;
      return ask === undefined ? [] : { check, ask };
    });
    this.#told = checks.flatMap(({ onPassed }) => onPassed ?? []);
  }

  /** What may leave of an order, or why nothing may; undefined: all of it. */
  answer(review: OrderReview): Cut | Refusal | undefined {
    const refusal = this.#refusalOf(review);
    return refusal && this.#cutDown(review, refusal);
  }

  /** Whether anything of an order leaves, now or once what keeps it has ended by itself. */
  letsLeave(review: OrderReview): boolean {
    const answer = this.answer(review);
    return answer === undefined || isCut(answer) || ENDS_SOON.has(answer.code);
  }

  /** The order leaves. */
  passed(review: OrderReview): void {
    for (const note of this.#told) note(review);
  }

  #refusalOf(review: OrderReview): Refusal | undefined {
    for (const { check, ask } of this.#asked) {
      const objection = ask(review);
      if (objection !== undefined) return refusalBy(check, objection);
    }
    return undefined;
  }

  /** What one order may trade of an exit and is free of that; else why not. */
  #cutDown(review: OrderReview, refusal: Refusal): Cut | Refusal {
    const draft = trimExit(review, { code: refusal.code, balances: this.#balances });
    if (draft === undefined) return refusal;
    const cut = review.of(draft);
    const other = this.#refusalOf(cut);
    if (other === undefined) return { review: cut, refusal };
    if (CUTS.has(other.code)) return this.#cutDown(cut, other);
    // What the pace alone holds leaves the moment that it opens, what meets own quotes once they left.
    return ENDS_SOON.has(other.code) ? other : refusal;
  }
}
