import { counted, ToldLately } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/**
 * Counts orders whose fee stays a guess, and warns of them: at once, then at most once a minute.
 */
export class LostFees {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'logger'>;
  readonly #ofMarket = new Map<string, number>();
  readonly #told = new ToldLately();

  constructor(options: Pick<ExecutorOptions, 'clock' | 'logger'>) {
    this.#options = options;
  }

  /** Counts one more order. */
  add(market: string): void {
    const { clock, logger } = this.#options;
    const orders = (this.#ofMarket.get(market) ?? 0) + 1;
    this.#ofMarket.set(market, orders);
    if (this.#told.isRepeat(market, clock.now())) return;
    logger.warn(
      { market, orders },
      `fees of ${counted(orders, 'order')} in ${market} stay estimates: too many orders fill to ask for each fee`,
    );
  }
}
