import { lengthOf, type Span, spanText } from './span.ts';

/** Holes that are told one by one. */
export const HOLES_MAX = 20;

/** The holes of a series in their order: the first of them one by one, all of them in sum. */
export class Holes {
  readonly #first: Span[] = [];
  count = 0;
  lengthMs = 0;
  /** The first of the longest ones; undefined where there is none. */
  longest: Span | undefined;

  /** What lasts no time is none. */
  add(hole: Span): void {
    if (hole.toMs <= hole.fromMs) return;
    if (this.#first.length < HOLES_MAX) this.#first.push(hole);
    this.count++;
    this.lengthMs += lengthOf(hole);
    if (this.longest === undefined || lengthOf(hole) > lengthOf(this.longest)) this.longest = hole;
  }

  /** A sentence for each of the first, and one for all others. */
  list(text: (hole: Span) => string): string[] {
    const more = this.count - this.#first.length;
    const told = this.#first.map(text);
    return more > 0 ? [...told, `Places beyond these: ${more}.`] : told;
  }

  /** The same of what is so in each, ahead of it how long all of them are where there are several. */
  tell(what: string, length: (ms: number) => string): string[] {
    const all = `${what} in ${this.count} places, for ${length(this.lengthMs)}.`;
    const each = this.list((hole) => `${what} ${spanText(hole)}: for ${length(lengthOf(hole))}.`);
    return this.count > 1 ? [all, ...each] : each;
  }
}
