import type { QuestionSource, QuestionTurn } from '../ports.ts';

/** Two sources that take turns, so that neither keeps the other waiting. */
export class Alternation implements QuestionSource {
  #next: QuestionSource;
  #other: QuestionSource;

  constructor(first: QuestionSource, second: QuestionSource) {
    this.#next = first;
    this.#other = second;
  }

  get nextMs(): number {
    return Math.min(this.#next.nextMs, this.#other.nextMs);
  }

  sendDue(turn: QuestionTurn): boolean {
    if (!this.#next.sendDue(turn)) return this.#other.sendDue(turn);
    [this.#next, this.#other] = [this.#other, this.#next];
    return true;
  }
}
