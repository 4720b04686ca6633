import { Observable, type Observer, Subscription, throwError } from 'rxjs';
import { FewMap } from './few-map.ts';

/** What the bus carries: an event of a kind, of one market or of none. */
export interface BusEvent {
  readonly kind: string;
  readonly market?: string;
}

type OfKind<E extends BusEvent, K extends E['kind']> = Extract<E, { readonly kind: K }>;

type Listener<E> = (event: E) => void;

/**
 * The listeners to one kind of events, or to one kind in one market. A subject without its detours,
 * which weigh where a tick is an event: a list that is copied when it changes.
 */
class Topic<E> {
  #listeners: readonly Listener<E>[] = [];

  readonly events: Observable<E> = new TopicEvents(this);

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
}

/** A topic as an observable. */
class TopicEvents<E> extends Observable<E> {
  readonly #topic: Topic<E>;

  constructor(topic: Topic<E>) {
    super((subscriber) => topic.listen((event) => subscriber.next(event)));
    this.#topic = topic;
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
    const subscription = this.#topic.listen((event) => {
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

/** As rxjs does with what a subscriber throws. */
function reportUnhandled(thrown: unknown): void {
  throwError(() => thrown).subscribe();
}

/** The listeners to one kind: to all its markets, and to each market. */
interface Kind<E> {
  readonly name: string;
  readonly every: Topic<E>;
  readonly markets: FewMap<string, Topic<E>>;
}

/**
 * Carries every event of a run, synchronously, one at a time and in one order for all subscribers.
 *
 * What is published during a delivery is queued behind it. Recorders are the exception: each event
 * reaches them at the moment of its publishing, which is the same order. What the journal
 * must hold before a request leaves is therefore in its hands in time.
 */
export class Bus<E extends BusEvent> {
  readonly #everything = new Topic<E>();
  readonly #kinds = new Map<string, Kind<E>>();
  /** The kind that was delivered last: that of the next event, mostly. */
  #last: Kind<E> | undefined;
  /** The events that wait, then the places of those that did: a list is not made anew each time. */
  readonly #queue: (E | undefined)[] = [];
  #queued = 0;
  #delivering = false;

  /** Calls with every event as it is published: for recorders, which must not publish in turn. */
  record(recorder: Listener<E>): Subscription {
    return this.#everything.listen(recorder);
  }

  /**
   * Calls with every event of a kind, in turn with the subscribers of `on`: what looks at each tick
   * is spared an operator's detours. It must not throw: that would come back to who published.
   */
  listen<K extends E['kind']>(kind: K, listener: Listener<OfKind<E, K>>): Subscription {
    return this.#kind(kind).every.listen(listener as unknown as Listener<E>);
  }

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
      this.#queue[this.#queued++] = event;
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
    for (const event of events) this.#queue[this.#queued++] = event;
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
    for (let at = 0; at < this.#queued; at++) this.#deliver(this.#queue[at]!);
  }

  #end(): void {
    if (this.#queued > 0) this.#queue.fill(undefined, 0, this.#queued);
    this.#queued = 0;
    this.#delivering = false;
  }

  #deliver(event: E): void {
    let kind = this.#last;
    if (kind?.name !== event.kind) {
      kind = this.#kinds.get(event.kind);
      if (kind === undefined) return;
      this.#last = kind;
    }
    kind.every.next(event);
    if (event.market !== undefined) kind.markets.get(event.market)?.next(event);
  }

  #kind(name: string): Kind<E> {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind = { name, every: new Topic<E>(), markets: new FewMap() };
      this.#kinds.set(name, kind);
    }
    return kind;
  }
}

function topicOf<E>(markets: FewMap<string, Topic<E>>, market: string): Topic<E> {
  let topic = markets.get(market);
  if (topic === undefined) {
    topic = new Topic<E>();
    markets.set(market, topic);
  }
  return topic;
}
