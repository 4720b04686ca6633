import { lengthOf, type Span, spanText } from './span.ts';

/** Most holes that are told one by one. */
export const HOLES_MAX = 20;

/** The holes of a series in order of time: the first ones one by one, all of them in sum. */
export class Holes {
  readonly #first: Span[] = [];
  count = 0;
  lengthMs = 0;
  /** The longest hole, the first of several; undefined where there is none. */
  longest: Span | undefined;

  /** Adds a hole, unless it has no length. */
  add(hole: Span): void {
    if (hole.toMs <= hole.fromMs) return;
    if (this.#first.length < HOLES_MAX) this.#first.push(hole);
    this.count++;
    this.lengthMs += lengthOf(hole);
    if (this.longest === undefined || lengthOf(hole) > lengthOf(this.longest)) this.longest = hole;
  }

  /** A sentence for each of the first holes, and one that counts all others. */
  list(text: (hole: Span) => string): string[] {
    const more = this.count - this.#first.length;
    const told = this.#first.map(text);
    return more > 0 ? [...told, `Further places: ${more}.`] : told;
  }

  /** Sentences that say `what` of each hole; where there are several, first of all together. */
  tell(what: string, length: (ms: number) => string): string[] {
    const all = `${what} in ${this.count} places, for ${length(this.lengthMs)}.`;
    const each = this.list((hole) => `${what} ${spanText(hole)}: for ${length(lengthOf(hole))}.`);
    return this.count > 1 ? [all, ...each] : each;
  }
}
