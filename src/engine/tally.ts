import { type EventKind, isFinal, type OrderState, type TradingEvent } from '../domain/index.ts';
import type { OnRepeated } from '../execution/index.ts';
import { type Bus, FewSet, getOrInsert, withoutAction } from '../kernel/index.ts';

/** Counts of what a run has done so far. */
export interface Tally {
  /** Orders that left for the exchange. */
  readonly orders: number;
  readonly fills: number;
  readonly heartbeats: number;
  readonly lapses: number;
  readonly cancelled: number;
  readonly rejected: number;
  /** Rejected orders by the exchange's error code; under `none` those without a code. */
  readonly rejections: ReadonlyMap<string, Rejections>;
  readonly requests: number;
  /** Requests that ended without a clear answer from the exchange. */
  readonly requestFailures: number;
  readonly gaps: number;
  /** How often a stream of data became stale. */
  readonly stale: number;
  /** Refusals by code. */
  readonly refusals: ReadonlyMap<string, RefusalTally>;
  /** Books seen, by market. */
  readonly books: ReadonlyMap<string, number>;
  /** Closed candles heard, by market. */
  readonly candles: ReadonlyMap<string, number>;
  /** Wishes, by strategy. */
  readonly wishes: ReadonlyMap<string, number>;
}

/** How often risk refused with one code. */
export interface RefusalTally {
  /** Refused wishes, each counted once however often it was retried while it stood. */
  readonly wishes: number;
  /** All published refusals, plus the unpublished ones of later wishes with the same code. */
  readonly tries: number;
}

/** Orders that were rejected for one reason. */
export interface Rejections {
  readonly count: number;
  /** Why and when the newest was rejected, milliseconds since the epoch. */
  readonly reason: string;
  readonly newestMs: number;
}

type Maps = 'rejections' | 'refusals' | 'books' | 'candles' | 'wishes';
type Counts = { -readonly [K in Exclude<keyof Tally, Maps>]: number };

/** Counts what passes on the bus. */
export class TallyCounter {
  /** Orders whose end has not been counted yet. */
  readonly #live = new FewSet<string>();
  readonly #counts: Counts = {
    orders: 0,
    fills: 0,
    heartbeats: 0,
    lapses: 0,
    cancelled: 0,
    rejected: 0,
    requests: 0,
    requestFailures: 0,
    gaps: 0,
    stale: 0,
  };
  readonly #rejections = new Map<string, Rejections>();
  readonly #refusals = new Map<string, { -readonly [K in keyof RefusalTally]: number }>();
  /** Codes already counted for the newest wish, by strategy and market. */
  readonly #refusedFor = new Map<string, Set<string>>();
  readonly #books = new Map<string, number>();
  readonly #candles = new Map<string, number>();
  readonly #wishes = new Map<string, number>();

  /** The counts now: a copy. */
  read(): Tally {
    return {
      ...this.#counts,
      rejections: new Map(this.#rejections),
      refusals: new Map([...this.#refusals].map(([code, counts]) => [code, { ...counts }])),
      books: new Map(this.#books),
      candles: new Map(this.#candles),
      wishes: new Map(this.#wishes),
    };
  }

  /** Counts a wish refused with the same code as the one before, whose refusal is not published. */
  readonly repeated: OnRepeated = (code, wishing) => this.#countRefusal(code, wishing);

  follow(bus: Bus<TradingEvent>): void {
    const counts = this.#counts;
    bus.listen('order', ({ order }) => this.#countOrder(order));
    bus.listen('fill', () => counts.fills++);
    bus.listen('heartbeat', () => counts.heartbeats++);
    bus.listen('lapse', () => counts.lapses++);
    bus.listen('request', () => counts.requests++);
    bus.listen('requestFailure', () => counts.requestFailures++);
    bus.listen('gap', () => counts.gaps++);
    bus.listen('freshness', ({ fresh }) => !fresh && counts.stale++);
    bus.listen('depth', ({ market }) => countOne(this.#books, market));
    bus.listen('candle', ({ market, closed }) => closed && countOne(this.#candles, market));
    bus.listen('intent', ({ strategy }) => countOne(this.#wishes, strategy));
    // Heard when published, not when delivered: calls of `repeated` come in between.
    const leavesOut = { has: (kind: EventKind) => kind !== 'intent' && kind !== 'refusal' };
    bus.record((event) => this.#hear(event), leavesOut);
  }

  #hear(event: TradingEvent): void {
    if (event.kind === 'refusal') this.#countRefusal(event.refusal.code, event);
    if (event.kind !== 'intent' || this.#refusedFor.size === 0) return;
    // A cancel replaces no wish.
    if (event.intent.kind !== 'cancel') this.#refusedFor.delete(keyOf(event));
  }

  #countRefusal(...[code, wishing]: Parameters<OnRepeated>): void {
    const codes = getOrInsert(this.#refusedFor, keyOf(wishing), () => new Set());
    const counts = getOrInsert(this.#refusals, code, () => ({ wishes: 0, tries: 0 }));
    counts.tries++;
    if (!codes.has(code)) counts.wishes++;
    codes.add(code);
  }

  /** Counts an order's end once: later news of it, such as a fee, is no second end. */
  #countOrder(order: OrderState): void {
    const { clientOrderId } = order;
    if (order.status === 'pending') this.#counts.orders++;
    if (!isFinal(order)) this.#live.add(clientOrderId);
    else if (this.#live.delete(clientOrderId)) {
      if (order.status === 'cancelled') this.#counts.cancelled++;
      else if (order.status === 'rejected') this.#countRejection(order);
    }
  }

  #countRejection({
    code,
    reason,
    changedTime,
  }: Extract<OrderState, { status: 'rejected' }>): void {
    this.#counts.rejected++;
    const key = String(code ?? 'none');
    const count = (this.#rejections.get(key)?.count ?? 0) + 1;
    this.#rejections.set(key, { count, reason: withoutAction(reason), newestMs: changedTime });
  }
}

function keyOf({ strategy, market }: Parameters<OnRepeated>[1]): string {
  return `${market} ${strategy}`;
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
