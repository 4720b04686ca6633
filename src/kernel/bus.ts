import { type Observable, Subject } from 'rxjs';

/** What the bus carries: an event of a kind, of one market or of none. */
export interface BusEvent {
  readonly kind: string;
  readonly market?: string;
}

type OfKind<E extends BusEvent, K extends E['kind']> = Extract<E, { readonly kind: K }>;

/** The subscribers of one kind: of all its markets, and of each market. */
interface Topic<E> {
  readonly every: Subject<E>;
  readonly markets: Map<string, Subject<E>>;
}

/**
 * Carries every event of a run, synchronously, one at a time and in one order for all subscribers.
 *
 * What is published during a delivery is queued behind it. Subscribers of `all` are the exception:
 * they record, so each event reaches them at the moment of its publishing, which is the same order.
 * What the journal must hold before a request leaves is therefore in its hands in time.
 */
export class Bus<E extends BusEvent> {
  readonly #everything = new Subject<E>();
  readonly #topics = new Map<string, Topic<E>>();
  #queue: E[] = [];
  #delivering = false;

  /** Every event as it is published: for recorders, which must not publish in turn. */
  readonly all: Observable<E> = this.#everything.asObservable();

  /** The events of one kind: of every market, or of the one named. */
  on<K extends E['kind']>(kind: K, market?: string): Observable<OfKind<E, K>> {
    const topic = this.#topic(kind);
    const subject = market === undefined ? topic.every : subjectOf(topic, market);
    return subject.asObservable() as unknown as Observable<OfKind<E, K>>;
  }

  /** Delivers the event now or, during a delivery, right after those already queued. */
  publish(event: E): void {
    if (this.#everything.observed) this.#everything.next(event);
    if (this.#delivering) {
      this.#queue.push(event);
      return;
    }
    this.#delivering = true;
    try {
      this.#deliver(event);
      this.#deliverQueued();
    } finally {
      this.#end();
    }
  }

  /**
   * Publishes several events that belong together: recorders have all of them before the first is
   * delivered, whatever its delivery sets off.
   */
  publishAll(events: readonly E[]): void {
    if (this.#everything.observed) for (const event of events) this.#everything.next(event);
    for (const event of events) this.#queue.push(event);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      this.#deliverQueued();
    } finally {
      this.#end();
    }
  }

  #deliverQueued(): void {
    // The queue may grow while it is walked.
    for (let at = 0; at < this.#queue.length; at++) this.#deliver(this.#queue[at]!);
  }

  #end(): void {
    if (this.#queue.length > 0) this.#queue = [];
    this.#delivering = false;
  }

  #deliver(event: E): void {
    const topic = this.#topics.get(event.kind);
    if (topic === undefined) return;
    if (topic.every.observed) topic.every.next(event);
    if (event.market !== undefined) topic.markets.get(event.market)?.next(event);
  }

  #topic(kind: string): Topic<E> {
    let topic = this.#topics.get(kind);
    if (topic === undefined) {
      topic = { every: new Subject<E>(), markets: new Map() };
      this.#topics.set(kind, topic);
    }
    return topic;
  }
}

function subjectOf<E>({ markets }: Topic<E>, market: string): Subject<E> {
  let subject = markets.get(market);
  if (subject === undefined) {
    subject = new Subject<E>();
    markets.set(market, subject);
  }
  return subject;
}
