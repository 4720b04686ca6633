import { type Observable, Subject } from 'rxjs';

/** What the bus carries: an event of a kind, of one market or of none. */
export interface BusEvent {
  readonly kind: string;
  readonly market?: string;
}

type OfKind<E extends BusEvent, K extends E['kind']> = Extract<E, { readonly kind: K }>;

/**
 * Carries every event of a run, synchronously, one at a time and in one order for all subscribers.
 *
 * What is published during a delivery is queued behind it. For each event the subscribers of all
 * events are served first (the journal sees an event before anyone acts on it), then those of its
 * kind, then those of its kind and market.
 */
export class Bus<E extends BusEvent> {
  readonly #everything = new Subject<E>();
  readonly #topics = new Map<string, Subject<E>>();
  #queue: E[] = [];
  #delivering = false;

  /** Every event, before any subscriber of a single kind sees it. */
  readonly all: Observable<E> = this.#everything.asObservable();

  /** The events of one kind: of every market, or of the one named. */
  on<K extends E['kind']>(kind: K, market?: string): Observable<OfKind<E, K>> {
    return this.#topic(kind, market).asObservable() as unknown as Observable<OfKind<E, K>>;
  }

  /** Delivers the event now or, during a delivery, right after those already queued. */
  publish(event: E): void {
    this.#queue.push(event);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      // The queue may grow while it is walked.
      for (let at = 0; at < this.#queue.length; at++) this.#deliver(this.#queue[at]!);
    } finally {
      this.#queue = [];
      this.#delivering = false;
    }
  }

  #deliver(event: E): void {
    this.#everything.next(event);
    this.#topics.get(event.kind)?.next(event);
    if (event.market !== undefined) this.#topics.get(`${event.kind} ${event.market}`)?.next(event);
  }

  #topic(kind: string, market: string | undefined): Subject<E> {
    const key = market === undefined ? kind : `${kind} ${market}`;
    let topic = this.#topics.get(key);
    if (topic === undefined) {
      topic = new Subject<E>();
      this.#topics.set(key, topic);
    }
    return topic;
  }
}
