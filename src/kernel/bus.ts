import { type Observable, Subscription } from 'rxjs';
import { FewMap } from './few-map.ts';
import { type Listener, Topic } from './topic.ts';

/** What the bus carries: an event of a kind, of one market or of none. */
export interface BusEvent {
  readonly kind: string;
  readonly market?: string;
}

type OfKind<E extends BusEvent, K extends E['kind']> = Extract<E, { readonly kind: K }>;

/** The way of the events of a kind that are of one market, or of none. */
interface Route<E> {
  readonly kind: Kind<E>;
  readonly market: Topic<E>;
}

/** One kind of events: who records it, who listens to all its markets, and the way to each. */
class Kind<E> {
  readonly name: string;
  recorders: readonly Listener<E>[];
  readonly every = new Topic<E>();
  /** Of events that are of no market. */
  readonly apart: Route<E> = { kind: this, market: new Topic<E>() };
  readonly #markets = new FewMap<string, Route<E>>();

  constructor(name: string, recorders: readonly Listener<E>[]) {
    this.name = name;
    this.recorders = recorders;
  }

  to(market: string): Route<E> {
    let route = this.#markets.get(market);
    if (route === undefined) {
      route = { kind: this, market: new Topic<E>() };
      this.#markets.set(market, route);
    }
    return route;
  }
}

/** Hears every event, but for those of some kinds. */
interface Recorder<E> {
  readonly listener: Listener<E>;
  readonly leavesOut: { has(kind: string): boolean };
}

/**
 * Carries every event of a run, synchronously, one at a time and in one order for all subscribers.
 *
 * What is published during a delivery is queued behind it. Recorders are the exception: each event
 * reaches them at the moment of its publishing, which is the same order. What the journal
 * must hold before a request leaves is therefore in its hands in time.
 */
export class Bus<E extends BusEvent> {
  #recorders: readonly Recorder<E>[] = [];
  readonly #kinds = new Map<string, Kind<E>>();
  /** The kind that was published last: that of the next event, mostly. */
  #last: Kind<E> | undefined;
  /** The events that wait, then the places of those that did: a list is not made anew each time. */
  readonly #queue: (E | undefined)[] = [];
  /** The ways of those events. */
  readonly #routes: Route<E>[] = [];
  #queued = 0;
  #delivering = false;
  #delivered: E | undefined;

  /** The event that is being delivered; undefined between deliveries. */
  get delivered(): E | undefined {
    return this.#delivered;
  }

  /**
   * Calls with every event as it is published: for recorders, which must not publish in turn.
   *
   * @param leavesOut kinds that it is spared. Default: none.
   */
  record(
    listener: Listener<E>,
    leavesOut: Pick<ReadonlySet<E['kind']>, 'has'> = new Set(),
  ): Subscription {
    const recorder = { listener, leavesOut };
    this.#setRecorders([...this.#recorders, recorder]);
    return new Subscription(() => {
      this.#setRecorders(this.#recorders.filter((other) => other !== recorder));
    });
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
    const known = this.#kind(kind);
    const topic = market === undefined ? known.every : known.to(market).market;
    return topic as unknown as Observable<OfKind<E, K>>;
  }

  /** Delivers the event now or, during a delivery, right after those already queued. */
  publish(event: E): void {
    this.#send(event, this.#routeOf(event));
  }

  /** What publishes events of one kind in one market: the way of all of them is looked up once. */
  channel<K extends E['kind']>(kind: K, market: string): Listener<OfKind<E, K>> {
    const route = this.#kind(kind).to(market);
    return (event) => this.#send(event, route);
  }

  /**
   * Publishes several events that belong together: recorders have all of them before the first is
   * delivered, whatever its delivery sets off.
   */
  publishAll(events: readonly E[]): void {
    if (this.#delivering) {
      this.#take(events);
      return;
    }
    this.#delivering = true;
    try {
      this.#take(events);
      this.#deliverQueued();
    } finally {
      this.#end();
    }
  }

  #take(events: readonly E[]): void {
    for (const event of events) {
      const route = this.#routeOf(event);
      recordBy(route.kind, event);
      this.#enqueue(event, route);
    }
  }

  #send(event: E, route: Route<E>): void {
    recordBy(route.kind, event);
    if (this.#delivering) {
      this.#enqueue(event, route);
      return;
    }
    this.#delivering = true;
    try {
      this.#deliver(event, route);
      this.#deliverQueued();
    } finally {
      this.#end();
    }
  }

  #enqueue(event: E, route: Route<E>): void {
    this.#queue[this.#queued] = event;
    this.#routes[this.#queued++] = route;
  }

  #deliverQueued(): void {
    // The queue may grow while it is walked.
    for (let at = 0; at < this.#queued; at++) this.#deliver(this.#queue[at]!, this.#routes[at]!);
  }

  #deliver(event: E, { kind, market }: Route<E>): void {
    this.#delivered = event;
    kind.every.next(event);
    market.next(event);
  }

  #end(): void {
    if (this.#queued > 0) this.#queue.fill(undefined, 0, this.#queued);
    this.#queued = 0;
    this.#delivering = false;
    this.#delivered = undefined;
  }

  #routeOf({ kind: name, market }: E): Route<E> {
    let kind = this.#last;
    if (kind?.name !== name) {
      kind = this.#kind(name);
      this.#last = kind;
    }
    return market === undefined ? kind.apart : kind.to(market);
  }

  #kind(name: string): Kind<E> {
    let kind = this.#kinds.get(name);
    if (kind === undefined) {
      kind = new Kind(name, this.#recordersOf(name));
      this.#kinds.set(name, kind);
    }
    return kind;
  }

  #setRecorders(recorders: readonly Recorder<E>[]): void {
    this.#recorders = recorders;
    for (const kind of this.#kinds.values()) kind.recorders = this.#recordersOf(kind.name);
  }

  #recordersOf(name: string): Listener<E>[] {
    const wanted = this.#recorders.filter(({ leavesOut }) => !leavesOut.has(name));
    return wanted.map(({ listener }) => listener);
  }
}

function recordBy<E>({ recorders }: Kind<E>, event: E): void {
  for (let at = 0; at < recorders.length; at++) recorders[at]!(event);
}
