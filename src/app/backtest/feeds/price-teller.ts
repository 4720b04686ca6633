import type { Engine } from '../../../engine/index.ts';
import type { VirtualClock } from '../../../kernel/index.ts';
import type { CandleHearing } from '../hearing/hearings.ts';
import type { BestPrices } from './best-prices.ts';
import { NewsLine } from './news-line.ts';
import type { PriceCell } from './prices.ts';

export interface PriceTellerOptions {
  readonly clock: VirtualClock;
  readonly engine: Engine;
  readonly price: PriceCell;
  readonly best: BestPrices;
  /** How long a price is under way to the strategies, milliseconds. */
  readonly feedMs: number;
  /** When prices are heard, in place of that. Undefined: after `feedMs`. */
  readonly hearing: CandleHearing | undefined;
  /** Tells of a price in the way that lets through what this sets off. Undefined: none is news. */
  readonly tellOpen: ((tell: () => void) => void) | undefined;
}

/** A price that a market came to, when, and when that is heard: milliseconds since the epoch. */
interface PriceNews {
  readonly price: number;
  readonly timeMs: number;
  readonly receivedTime: number;
}

/** Tells strategies of opens, and of prices within candles. */
export class PriceTeller {
  readonly #options: PriceTellerOptions;
  /** Whether the market's price is heard of as it comes to it. */
  readonly #isInstant: boolean;
  readonly #underWay = new NewsLine<PriceNews>();
  /** The volume of the newest candle that happened; NaN before the first. */
  volume = Number.NaN;

  constructor(options: PriceTellerOptions, { isInstant }: { readonly isInstant: boolean }) {
    this.#options = options;
    this.#isInstant = isInstant;
  }

  /** When the next price is heard; infinite while none is under way. */
  get heardMs(): number {
    return this.#underWay.heardMs;
  }

  /** The book that is told of it has the volume of the candle before: without one nothing is told. */
  send(price: number, timeMs: number): void {
    const { feedMs, hearing, price: cell } = this.#options;
    if (Number.isNaN(this.volume)) return;
    const receivedTime = hearing?.openMs(timeMs) ?? timeMs + feedMs;
    if (!this.#isInstant) cell.send(price, receivedTime);
    this.#underWay.send({ price, timeMs, receivedTime });
  }

  /**
   * Strategies hear of the next one, when that is due: of several that are heard at one moment of the
   * newest, as a book is told as it stands.
   */
  hear(): void {
    const { clock, engine, best, tellOpen } = this.#options;
    const { heardMs } = this;
    clock.advanceTo(heardMs);
    let news = this.#underWay.take();
    while (this.heardMs === heardMs) news = this.#underWay.take();
    const { price, timeMs } = news;
    tellOpen?.(() => {
      best.around(price, { timeMs, amount: this.volume });
      engine.askAgain();
    });
  }
}
