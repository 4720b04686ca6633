import { Observable } from 'rxjs';
import type { Stamped } from '../domain/index.ts';
import type { Clock } from '../kernel/index.ts';

/** How long things take between a client and the simulated exchange, in milliseconds. */
export interface Latency {
  /** Until a request arrives. Default: 0. */
  readonly requestMs?: number;
  /** Until its answer is back. Default: 0. */
  readonly answerMs?: number;
  /** Until a push arrives. Default: 0. */
  readonly pushMs?: number;
}

/** Works on the exchange; `stampOf` tells the time of its clock and that of the answer's arrival. */
export type Operation<T> = (stampOf: () => Stamped) => T;

/**
 * Carries calls to the exchange and their answers back, with the latency configured.
 *
 * Without latency everything happens inside `subscribe`: the operation, then the answer, then what
 * the exchange pushes because of it. If the answer takes time, the pushes are sent first.
 */
export class Calls {
  readonly #clock: Clock;
  readonly #latency: Required<Latency>;
  readonly #publish: () => void;

  /** `publish` pushes what operations have changed. */
  constructor(options: { clock: Clock; latency: Required<Latency>; publish: () => void }) {
    this.#clock = options.clock;
    this.#latency = options.latency;
    this.#publish = options.publish;
  }

  /** A call: each subscription runs the operation once, even if the subscriber leaves meanwhile. */
  call<T>(operation: Operation<T>): Observable<T> {
    const { requestMs, answerMs } = this.#latency;
    return new Observable<T>((subscriber) => {
      this.#after(requestMs, () => {
        const answer = this.#run(operation);
        this.#after(answerMs, () => {
          if ('failure' in answer) return subscriber.error(answer.failure);
          subscriber.next(answer.value);
          subscriber.complete();
        });
        this.#publish();
      });
    });
  }

  #run<T>(operation: Operation<T>): { value: T } | { failure: unknown } {
    try {
      return { value: operation(this.#stampOf) };
    } catch (failure) {
      return { failure };
    }
  }

  readonly #stampOf = (): Stamped => {
    const exchangeTime = this.#clock.now();
    return { exchangeTime, receivedTime: exchangeTime + this.#latency.answerMs };
  };

  #after(delayMs: number, work: () => void): void {
    if (delayMs === 0) work();
    else this.#clock.schedule(() => work(), delayMs);
  }
}
