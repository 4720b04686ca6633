import type { QuoteColumns } from '../../../../domain/index.ts';

/** Finds quotes with an empty side, and crossed ones, as they are read. */
export class QuoteFindings {
  #quotes = 0;
  #oneSided = 0;
  #crossed = 0;

  /** Takes a chunk. */
  observe({ bid, ask }: Pick<QuoteColumns, 'bid' | 'ask'>): void {
    this.#quotes += bid.length;
    for (let at = 0; at < bid.length; at++) {
      if (bid[at] === 0 || ask[at] === 0) this.#oneSided++;
      else if (bid[at]! >= ask[at]!) this.#crossed++;
    }
  }

  /** What was found so far: whole sentences. */
  list(): string[] {
    const of = (count: number): string => `${count} of ${this.#quotes} quotes`;
    return [
      ...(this.#oneSided > 0
        ? [
            `A side has no price or no amount in ${of(this.#oneSided)}: the book is empty on that side.`,
          ]
        : []),
      ...(this.#crossed > 0
        ? [`The bid is at or above the ask in ${of(this.#crossed)}: risk refuses every order then.`]
        : []),
    ];
  }
}
