import type { Refusal } from '../domain/index.ts';
import { CUTS, trimExit } from './exits.ts';
import type { FreeBalances } from './free-balances.ts';
import { type Check, type OrderReview, refusalBy } from './review.ts';

/** Refusals that end soon by themselves: a part of an exit refused for one of these waits. */
const ENDS_SOON: ReadonlySet<string> = new Set(['orderRate', 'selfCross']);

/** A part of an exit that may leave, and why the rest may not. */
export interface Cut {
  readonly review: OrderReview;
  readonly refusal: Refusal;
}

export function isCut(answer: Cut | Refusal): answer is Cut {
  return 'review' in answer;
}

/** The checks of orders about to leave. Exits are cut down to what may leave. */
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

  /** The part of an order that may leave, or why none may; undefined: all of it may leave. */
  answer(review: OrderReview): Cut | Refusal | undefined {
    const refusal = this.#refusalOf(review);
    return refusal && this.#cutDown(review, refusal);
  }

  /** Whether a part of an order may leave, now or soon. */
  letsLeave(review: OrderReview): boolean {
    const answer = this.answer(review);
    return answer === undefined || isCut(answer) || ENDS_SOON.has(answer.code);
  }

  /** Tells the checks that the order leaves. */
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

  /** Cuts an exit down until all checks pass; otherwise returns why nothing may leave. */
  #cutDown(review: OrderReview, refusal: Refusal): Cut | Refusal {
    const draft = trimExit(review, { code: refusal.code, balances: this.#balances });
    if (draft === undefined) return refusal;
    const cut = review.of(draft);
    const other = this.#refusalOf(cut);
    if (other === undefined) return { review: cut, refusal };
    if (CUTS.has(other.code)) return this.#cutDown(cut, other);
    // Held by the pace alone, it leaves as soon as that opens; crossing own quotes, once they have
    // left.
    return ENDS_SOON.has(other.code) ? other : refusal;
  }
}
