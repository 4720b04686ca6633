import type { Subscription } from 'rxjs';
import { TIMED_CANCEL_MS } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';

/**
 * The timed cancels of one account: a market's orders are cancelled one minute after the last call
 * for it. Nothing disarms it. Source: contract, Timed cancel.
 */
export class TimedCancels {
  readonly #clock: Clock;
  readonly #fire: (market: string) => void;
  readonly #armed = new Map<string, { readonly timer: Subscription; readonly dueMs: number }>();
  /** How often one has fired. */
  fired = 0;

  /** `fire` cancels all orders of the account in a market. */
  constructor({ clock, fire }: { clock: Clock; fire: (market: string) => void }) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /** Starts the minute of a market, anew if it runs. */
  arm(market: string): void {
    this.#armed.get(market)?.timer.unsubscribe();
    const dueMs = this.#clock.now() + TIMED_CANCEL_MS;
    const timer = this.#clock.schedule(() => {
      this.#armed.delete(market);
      this.fired++;
      this.#fire(market);
    }, TIMED_CANCEL_MS);
    this.#armed.set(market, { timer, dueMs });
  }

  /** When each armed market will be cancelled, milliseconds since the epoch. */
  get due(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#armed, ([market, { dueMs }]) => [market, dueMs]));
  }
}
