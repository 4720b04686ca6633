import type { Candle } from '../../../domain/index.ts';

/** A candle as strategies hear of it. */
export type CandleEvent = Candle & { readonly kind: 'candle' };

const NEVER = Number.POSITIVE_INFINITY;

/** Candles that are under way to the strategies, first come first heard. */
export class CandleLine {
  #heardMs = NEVER;
  #next: CandleEvent | undefined;
  /** Those behind it, where it takes longer than the next ones last. */
  readonly #waiting: CandleEvent[] = [];

  /** When the next one is heard; infinite while none is under way. */
  get heardMs(): number {
    return this.#heardMs;
  }

  send(candle: CandleEvent): void {
    if (this.#heardMs < NEVER) this.#waiting.push(candle);
    else this.#put(candle);
  }

  /** The next one, which is heard. */
  take(): CandleEvent {
    const candle = this.#next!;
    this.#heardMs = NEVER;
    if (this.#waiting.length > 0) this.#put(this.#waiting.shift()!);
    return candle;
  }

  #put(candle: CandleEvent): void {
    this.#heardMs = candle.receivedTime;
    this.#next = candle;
  }
}
