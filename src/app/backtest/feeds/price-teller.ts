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
  /** When prices are heard, instead of after `feedMs`. Undefined: after `feedMs`. */
  readonly hearing: CandleHearing | undefined;
  /** Runs `tell` so that the orders it sets off pass at once. Undefined: no price is told. */
  readonly tellOpen: ((tell: () => void) => void) | undefined;
}

/** A price of a market, when it was reached and when it is heard: milliseconds since the epoch. */
interface PriceNews {
  readonly price: number;
  readonly timeMs: number;
  readonly receivedTime: number;
}

/** Tells strategies of opens and of prices within candles. */
export class PriceTeller {
  readonly #options: PriceTellerOptions;
  /** Whether a price is heard the moment the market reaches it. */
  readonly #isInstant: boolean;
  readonly #underWay = new NewsLine<PriceNews>();
  /** The volume of the newest closed candle; NaN before the first. */
  volume = Number.NaN;

  constructor(options: PriceTellerOptions, { isInstant }: { readonly isInstant: boolean }) {
    this.#options = options;
    this.#isInstant = isInstant;
  }

  /** When the next price is heard; infinite while none is under way. */
  get heardMs(): number {
    return this.#underWay.heardMs;
  }

  /**
   * Sends a price on its way. The book that tells of it shows the volume of the last closed candle,
   * so nothing is sent before the first candle has closed.
   */
  send(price: number, timeMs: number): void {
    const { feedMs, hearing, price: cell } = this.#options;
    if (Number.isNaN(this.volume)) return;
    const receivedTime = hearing?.openMs(timeMs) ?? timeMs + feedMs;
    if (!this.#isInstant) cell.send(price, receivedTime);
    this.#underWay.send({ price, timeMs, receivedTime });
  }

  /**
   * Advances to the next price that is due and tells strategies of it. Where several are heard at
   * one moment only the newest is told: a book shows how things stand.
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
