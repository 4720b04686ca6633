import { type Observable, Subscription } from 'rxjs';
import { FewMap } from './few-map.ts';
import { type Listener, Topic } from './topic.ts';

/** What the bus carries: an event of a kind, of one market or of none. */
export interface BusEvent {
  readonly kind: string;
  readonly market?: string;
}

type OfKind<E extends BusEvent, K extends E['kind']> = Extract<E, { readonly kind: K }>;

/** Where the events of one kind and one market, or of no market, are delivered. */
interface Route<E> {
  readonly kind: Kind<E>;
  readonly market: Topic<E>;
}

/** One kind of event: its recorders, the listeners to all its markets, and a route for each one. */
class Kind<E> {
  readonly name: string;
  recorders: readonly Listener<E>[];
  readonly every = new Topic<E>();
  /** The route of events that belong to no market. */
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

/** A listener that hears every event except those of the kinds left out. */
interface Recorder<E> {
  readonly listener: Listener<E>;
  readonly leavesOut: { has(kind: string): boolean };
}

/**
 * Carries every event of a run, synchronously, one at a time and in one order for all subscribers.
 *
 * An event published during a delivery is queued behind it. Recorders are the exception: they get
 * each event the moment it is published, which is the same order. So the journal has what it must
 * hold before a request leaves.
 */
export class Bus<E extends BusEvent> {
  #recorders: readonly Recorder<E>[] = [];
  readonly #kinds = new Map<string, Kind<E>>();
  /** The kind published last: the next event is mostly of the same kind. */
  #last: Kind<E> | undefined;
  /** The first `#queued` entries are waiting events; the others are empty and kept for reuse. */
  readonly #queue: (E | undefined)[] = [];
  /** The routes of those events. */
  readonly #routes: Route<E>[] = [];
  #queued = 0;
  #delivering = false;
  #delivered: E | undefined;

  /** The event that is being delivered; undefined between deliveries. */
  get delivered(): E | undefined {
    return this.#delivered;
  }

  /**
   * Calls a recorder with every event as it is published. A recorder must not publish in turn.
   *
   * @param leavesOut kinds that the recorder does not get. Default: none.
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
   * Calls the listener with every event of a kind, in turn with the subscribers of `on` but without
   * the overhead of rxjs: for code that sees each tick. It must not throw: the error would reach
   * the publisher.
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

  /** A function that publishes events of one kind in one market: their route is looked up once. */
  channel<K extends E['kind']>(kind: K, market: string): Listener<OfKind<E, K>> {
    const route = this.#kind(kind).to(market);
    return (event) => this.#send(event, route);
  }

  /**
   * Publishes several events that belong together: recorders get all of them before the first is
   * delivered, and before any event that its delivery sets off.
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
