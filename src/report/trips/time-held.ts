import type { RunRecord } from '../record.ts';
import { Walks } from './walks.ts';

/** From one time to another, milliseconds since the epoch; `to` is infinite if it has not ended. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** How long any strategy held a position, whatever it was worth; dust does not count. */
export class TimeHeld {
  readonly #spans: Iterator<Span>;
  #span: Span | undefined;

  constructor(record: Pick<RunRecord, 'fills' | 'markets'>) {
    this.#spans = heldSpans(record);
    this.#next();
  }

  /** Milliseconds held from one time to another; calls must go forward in time. */
  between(from: number, to: number): number {
    let heldMs = 0;
    for (; this.#span !== undefined && this.#span.from < to; this.#next()) {
      heldMs += Math.max(0, Math.min(to, this.#span.to) - Math.max(from, this.#span.from));
      if (this.#span.to > to) break;
    }
    return heldMs;
  }

  #next(): void {
    this.#span = this.#spans.next().value;
  }
}

/** When any strategy was in a trade, in rising order of time. */
function* heldSpans({ fills, markets }: Pick<RunRecord, 'fills' | 'markets'>): Generator<Span> {
  const walks = new Walks(markets);
  let holding = 0;
  let from = Number.NaN;
  for (const fill of fills) {
    const walk = walks.of(fill);
    const was = walk.isHolding;
    // The trips that end here are not needed, but taking them moves the walk on.
    Array.from(walk.add(fill));
    if (walk.isHolding === was) continue;
    if (!was && holding === 0) from = fill.time;
    holding += was ? -1 : 1;
    if (holding === 0) yield { from, to: fill.time };
  }
  if (holding > 0) yield { from, to: Number.POSITIVE_INFINITY };
}
