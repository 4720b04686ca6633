import type { RecordedFill } from '../record.ts';
import type { RoundTrip } from './round-trip.ts';

/** A part of a fill: base currency (positive), its value and the fee's worth in quote. */
export interface Part {
  readonly amount: number;
  readonly value: number;
  readonly fee: number;
}

/** Adds up one round trip, fill by fill. */
export class TripBuilder {
  readonly #first: RecordedFill;
  #side: 'long' | 'short';
  #opened = 0;
  #openedValue = 0;
  #closed = 0;
  #closedValue = 0;
  #realized = 0;
  #fees = 0;
  #fills = 0;
  #latest: RecordedFill | undefined;

  constructor(first: RecordedFill) {
    this.#first = first;
    this.#side = first.side === 'buy' ? 'long' : 'short';
  }

  /** Base currency opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** Counts a fill once, however many parts of it belong to this trip. */
  count(fill: RecordedFill): void {
    if (fill !== this.#latest) this.#fills++;
    this.#latest = fill;
  }

  open(side: 'long' | 'short', part: Part): void {
    this.#side = side;
    this.#opened += part.amount;
    this.#openedValue += part.value;
    this.#fees += part.fee;
  }

  close(part: Part, realized: number): void {
    this.#closed += part.amount;
    this.#closedValue += part.value;
    this.#realized += realized;
    this.#fees += part.fee;
  }

  build(closeTime: number | undefined): RoundTrip {
    const { market, strategy, time } = this.#first;
    const profit = this.#realized - this.#fees;
    return {
      market,
      strategy,
      side: this.#side,
      openTime: time,
      closeTime,
      amount: this.#opened,
      entryPrice: this.#openedValue / this.#opened,
      exitPrice: this.#closed > 0 ? this.#closedValue / this.#closed : undefined,
      entryValue: this.#openedValue,
      fees: this.#fees,
      profit,
      profitShare: profit / this.#openedValue,
      fills: this.#fills,
      adverse: undefined,
      favourable: undefined,
    };
  }
}
