import { defer, type Observable, type Subscription, take, throwIfEmpty } from 'rxjs';
import { ExchangeFailure, toFailure } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';
import { answeredWithin } from './answered-within.ts';

export interface PollerOptions<T> {
  readonly clock: Clock;
  /** Makes the next request. */
  readonly request: () => Observable<T>;
  /** Takes an answer. `again`: there is more, send the next request at once. */
  readonly onAnswer: (answer: T, sentTime: number) => 'again' | 'wait';
  readonly onFailure: (failure: ExchangeFailure, failures: number) => void;
  /** Milliseconds from one request to the next. */
  readonly intervalMs: number;
  /** Longest pause after failures, milliseconds. */
  readonly backoffMaxMs: number;
  /**
   * The first pause after the answer that requests come too fast, milliseconds. It moves ours away
   * from those of other clients at the same pace. Default: as after any failure.
   */
  readonly limitedMs?: number;
  /** Milliseconds after which a silent request counts as failed. Default: the request's own. */
  readonly timeoutMs?: number;
}

/**
 * Sends a request at intervals, one at a time: a slow answer delays the next request, and each
 * failure in a row doubles the pause. Answers reach `onAnswer` synchronously.
 */
export class Poller<T> {
  readonly #options: PollerOptions<T>;
  #running = false;
  #timer: Subscription | undefined;
  #request: Subscription | undefined;
  #inFlight = false;
  #failures = 0;

  constructor(options: PollerOptions<T>) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Sends the first request in the clock's next turn; no effect while running. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#failures = 0;
    this.#scheduleNext(0);
  }

  /** Ends polling; the answer to a request under way is dropped. */
  stop(): void {
    this.#running = false;
    this.#inFlight = false;
    this.#timer?.unsubscribe();
    this.#request?.unsubscribe();
  }

  /** Brings the next request forward to the clock's next turn, unless one is under way. */
  hurry(): void {
    if (this.#running && !this.#inFlight && this.#failures === 0) this.#scheduleNext(0);
  }

  #scheduleNext(delayMs: number): void {
    this.#timer?.unsubscribe();
    this.#timer = this.#options.clock.schedule(() => this.#send(), delayMs);
  }

  #send(): void {
    const { clock, request, timeoutMs } = this.#options;
    const sentTime = clock.now();
    this.#inFlight = true;
    const answer = defer(request).pipe(
      take(1),
      throwIfEmpty(() => new ExchangeFailure('unknown', 'Cannot read an answer: it is empty')),
    );
    const bounded =
      timeoutMs === undefined ? answer : answer.pipe(answeredWithin(timeoutMs, clock));
    this.#request = bounded.subscribe({
      next: (value) => this.#succeed(value, sentTime),
      error: (thrown) => this.#fail(toFailure(thrown)),
    });
  }

  #succeed(answer: T, sentTime: number): void {
    const { clock, intervalMs, onAnswer } = this.#options;
    this.#inFlight = false;
    this.#failures = 0;
    const again = onAnswer(answer, sentTime) === 'again';
    if (!this.#running) return;
    // A clock that was set back must not stretch the pause.
    const restMs = Math.min(intervalMs, sentTime + intervalMs - clock.now());
    this.#scheduleNext(again ? 0 : Math.max(0, restMs));
  }

  #fail(failure: ExchangeFailure): void {
    const { intervalMs, backoffMaxMs, limitedMs, onFailure } = this.#options;
    this.#inFlight = false;
    this.#failures++;
    onFailure(failure, this.#failures);
    if (!this.#running) return;
    const firstMs = (failure.kind === 'limited' ? limitedMs : undefined) ?? 2 * intervalMs;
    this.#scheduleNext(Math.min(backoffMaxMs, firstMs * 2 ** Math.min(this.#failures - 1, 30)));
  }
}
