import { defer, finalize, Observable, type Subscription, take } from 'rxjs';
import type { Clock } from '../kernel/index.ts';
import { answeredWithin } from './answered-within.ts';

export interface SpacedQueueOptions {
  readonly clock: Clock;
  /** Least milliseconds from the end of one request to the start of the next. */
  readonly spacingMs: number;
  /** Milliseconds after which a request without an answer counts as ended. */
  readonly timeoutMs: number;
}

/**
 * Lets requests through one at a time, first come first served, with a pause between them.
 *
 * The pause runs from the END of a request: however unevenly the network delays them, the server
 * never sees two within `spacingMs`.
 */
export class SpacedQueue {
  readonly #options: SpacedQueueOptions;
  readonly #waiting = new Set<() => void>();
  #busy = false;
  #freeAtMs = Number.NEGATIVE_INFINITY;
  #timer: Subscription | undefined;

  constructor(options: SpacedQueueOptions) {
    this.#options = options;
  }

  /** Least milliseconds from the end of one request to the start of the next. */
  get spacingMs(): number {
    return this.#options.spacingMs;
  }

  /** The answer of `request`, sent when its turn comes; unsubscribing gives the turn up. */
  run<T>(request: () => Observable<T>): Observable<T> {
    return new Observable<T>((subscriber) => {
      const { clock, timeoutMs } = this.#options;
      const turn = () => {
        this.#busy = true;
        const answer = defer(request).pipe(
          take(1),
          answeredWithin(timeoutMs, clock),
          finalize(() => this.#end()),
        );
        subscriber.add(answer.subscribe(subscriber));
      };
      this.#waiting.add(turn);
      this.#serve();
      return () => this.#waiting.delete(turn);
    });
  }

  #end(): void {
    this.#busy = false;
    this.#freeAtMs = this.#options.clock.now() + this.#options.spacingMs;
    this.#serve();
  }

  #serve(): void {
    const [turn] = this.#waiting;
    if (turn === undefined || this.#busy || this.#timer?.closed === false) return;
    const { clock, spacingMs } = this.#options;
    const waitMs = Math.min(spacingMs, this.#freeAtMs - clock.now());
    if (waitMs > 0) {
      this.#timer = clock.schedule(() => {
        this.#timer = undefined;
        this.#serve();
      }, waitMs);
      return;
    }
    this.#waiting.delete(turn);
    turn();
  }
}
