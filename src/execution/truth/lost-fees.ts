import { counted, getOrInsert, MINUTE_MS } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';

/** How often it is told of a market that more fees are lost. */
const PAUSE_MS = MINUTE_MS;

/** Fees that nobody will ask for any more, of one market. */
interface LostOfMarket {
  orders: number;
  toldMs: number;
}

/** Counts the orders whose fee stays a guess, and warns of them: at once, then once in a minute. */
export class LostFees {
  readonly #options: Pick<ExecutorOptions, 'clock' | 'logger'>;
  readonly #ofMarket = new Map<string, LostOfMarket>();

  constructor(options: Pick<ExecutorOptions, 'clock' | 'logger'>) {
    this.#options = options;
  }

  /** One more. */
  add(market: string): void {
    const { clock, logger } = this.#options;
    const none = (): LostOfMarket => ({ orders: 0, toldMs: Number.NEGATIVE_INFINITY });
    const lost = getOrInsert(this.#ofMarket, market, none);
    lost.orders++;
    const nowMs = clock.now();
    if (nowMs < lost.toldMs + PAUSE_MS) return;
    lost.toldMs = nowMs;
    const { orders } = lost;
    logger.warn(
      { market, orders },
      `fees of ${counted(orders, 'order')} in ${market} stay guessed: too many fill to ask for all of them`,
    );
  }
}
