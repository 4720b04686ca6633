import { Observable, type Observer, Subscription, throwError } from 'rxjs';

export type Listener<E> = (event: E) => void;

/**
 * Calls its listeners with each event, in the order in which they subscribed: an rxjs subject that
 * neither fails nor completes, but without its overhead, which counts where every order or tick is
 * an event. Its list is copied when it changes: a delivery under way goes on with the old one.
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

  /** Calls the listener with every event. If it throws, so does `next`, past later listeners. */
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
   * A lone function is called by the topic itself, to the same effect as through rxjs: never after
   * it has unsubscribed, and what it throws does not keep the event from the others.
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
