import { Observable, type Observer, Subscription, throwError } from 'rxjs';

export type Listener<E> = (event: E) => void;

/**
 * Tells all who listen of each event, in the order in which they came: a subject that neither fails
 * nor completes, without its detours, which weigh where each order or tick is an event. Its list is
 * copied when it changes.
 */
export class Topic<E> extends Observable<E> {
  #listeners: readonly Listener<E>[] = [];

  constructor() {
    super((subscriber) => this.listen((event) => subscriber.next(event)));
  }

  /** Whether anybody listens. */
  get observed(): boolean {
    return this.#listeners.length > 0;
  }

  /** Calls with every event. What is thrown comes back to who told of it, past all other listeners. */
  listen(listener: Listener<E>): Subscription {
    this.#listeners = [...this.#listeners, listener];
    return new Subscription(() => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    });
  }

  next(event: E): void {
    const listeners = this.#listeners;
    for (let at = 0; at < listeners.length; at++) listeners[at]!(event);
  }

  /**
   * A function alone is called by the topic itself, to the same effect: not once it was let go of,
   * and what it throws keeps the event from nobody.
   */
  override subscribe(observer?: Partial<Observer<E>> | Listener<E>): Subscription;
  override subscribe(
    next?: Listener<E> | null,
    error?: ((thrown: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription;
  override subscribe(
    next?: Partial<Observer<E>> | Listener<E> | null,
    ...others: (((thrown: unknown) => void) | (() => void) | null | undefined)[]
  ): Subscription {
    if (typeof next !== 'function') return super.subscribe(next as Listener<E>, ...others);
    const subscription = this.listen((event) => {
      if (subscription.closed) return;
      try {
        next(event);
      } catch (thrown) {
        reportUnhandled(thrown);
      }
    });
    return subscription;
  }
}

/** Reports an error as rxjs reports what a subscriber throws. */
function reportUnhandled(thrown: unknown): void {
  throwError(() => thrown).subscribe();
}
