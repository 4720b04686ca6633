import { Observable, type Subscriber } from 'rxjs';

/** What the bus carries: an event of a kind, of one market or of none. */
export interface BusEvent {
  readonly kind: string;
  readonly market?: string;
}

type OfKind<E extends BusEvent, K extends E['kind']> = Extract<E, { readonly kind: K }>;

/**
 * The subscribers of one kind of events, or of one kind in one market. A subject without its
 * detours, which weigh where a tick is an event: a list that is copied when it changes.
 */
class Topic<E> {
  subscribers: readonly Subscriber<E>[] = [];

  readonly events = new Observable<E>((subscriber) => {
    this.subscribers = [...this.subscribers, subscriber];
    return () => {
      this.subscribers = this.subscribers.filter((other) => other !== subscriber);
    };
  });

  next(event: E): void {
    const { subscribers } = this;
    for (let at = 0; at < subscribers.length; at++) subscribers[at]!.next(event);
  }
}

/** The subscribers of one kind: of all its markets, and of each market. */
interface Kind<E> {
  readonly every: Topic<E>;
  readonly markets: Map<string, Topic<E>>;
}

/**
 * Carries every event of a run, synchronously, one at a time and in one order for all subscribers.
 *
 * What is published during a delivery is queued behind it. Subscribers of `all` are the exception:
 * they record, so each event reaches them at the moment of its publishing, which is the same order.
 * What the journal must hold before a request leaves is therefore in its hands in time.
 */
export class Bus<E extends BusEvent> {
  readonly #everything = new Topic<E>();
  readonly #kinds = new Map<string, Kind<E>>();
  #queue: E[] = [];
  #delivering = false;

  /** Every event as it is published: for recorders, which must not publish in turn. */
  readonly all: Observable<E> = this.#everything.events;

  /** The events of one kind: of every market, or of the one named. */
  on<K extends E['kind']>(kind: K, market?: string): Observable<OfKind<E, K>> {
    const { every, markets } = this.#kind(kind);
    const topic = market === undefined ? every : topicOf(markets, market);
    return topic.events as unknown as Observable<OfKind<E, K>>;
  }

  /** Delivers the event now or, during a delivery, right after those already queued. */
  publish(event: E): void {
    this.#everything.next(event);
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
    for (const event of events) this.#everything.next(event);
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
    const kind = this.#kinds.get(event.kind);
    if (kind === undefined) return;
    kind.every.next(event);
    if (event.market !== undefined) kind.markets.get(event.market)?.next(event);
  }

  #kind(name: string): Kind<E> {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind = { every: new Topic<E>(), markets: new Map() };
      this.#kinds.set(name, kind);
    }
    return kind;
  }
}

function topicOf<E>(markets: Map<string, Topic<E>>, market: string): Topic<E> {
  let topic = markets.get(market);
  if (topic === undefined) {
    topic = new Topic<E>();
    markets.set(market, topic);
  }
  return topic;
}
