import { mergeMap, Observable, throwError, timer } from 'rxjs';
import { ExchangeFailure, type TradingPort } from '../../exchange/index.ts';
import { type Clock, getOrInsert } from '../../kernel/index.ts';

const IN_A_HOLE = 'Cannot send an order: candles are missing, the next one is wanted';
const WAITED_IN_VAIN = 'Cannot send an order: the candle at whose open it was to leave is missing';

/** The least time by which something is later, milliseconds: opens are at whole ones. */
const LATER_MS = 1;
const NEVER = Number.POSITIVE_INFINITY;

/** An order that waits. */
interface Held {
  /** The first moment at which it may leave, and the last, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly send: () => void;
  readonly fail: (failure: ExchangeFailure) => void;
}

/** Orders of one market that wait for it to open; none leaves at an open before it was made. */
export class HeldMarket {
  /** When it opened last, milliseconds since the epoch. */
  openedMs = Number.NEGATIVE_INFINITY;
  /** It moves now: what comes at once is set off by that. */
  isMoving = false;
  #isTrading = false;
  /** Until when its next candle closes, if none is missing. */
  #nextCloseMs = NEVER;
  #waiting: Held[] = [];
  readonly #opened: (openMs: number) => void;
  readonly #trades: boolean;

  /** `trades`: from its opening until it closes, and not only in that moment. */
  constructor(opened: (openMs: number) => void, { trades }: { readonly trades: boolean }) {
    this.#opened = opened;
    this.#trades = trades;
  }

  /** Whether what comes now may pass: it is not to overtake what waits. */
  get isPassed(): boolean {
    return this.#isTrading && this.#waiting.length === 0;
  }

  /** The first moment at whose open any may leave; infinite while none waits. */
  get dueMs(): number {
    return this.#waiting.length === 0 ? NEVER : this.#waiting[0]!.fromMs;
  }

  /** The market opens: lets go of all that were made by then, in their order. */
  release(openMs: number): void {
    this.isMoving = false;
    this.openedMs = openMs;
    this.#isTrading = this.#trades;
    this.#opened(openMs);
    while (this.dueMs <= openMs) {
      const { untilMs, send, fail } = this.#waiting.shift()!;
      if (untilMs < openMs) fail(new ExchangeFailure('unsent', WAITED_IN_VAIN));
      else send();
    }
  }

  /** The market closes, and should do so next at `nextMs`: what comes now waits for its next open. */
  closes(nextMs: number): void {
    this.isMoving = false;
    this.#isTrading = false;
    this.#nextCloseMs = nextMs;
  }

  /**
   * It moves to the open or the close of a candle that is there until `untilMs`: what that sets off
   * does not come in a hole before it.
   */
  moves(untilMs: number): void {
    this.isMoving = true;
    this.#nextCloseMs = untilMs;
  }

  /** Whether candles are missing: nobody knows what it does. */
  isInHole(nowMs: number): boolean {
    return !this.#isTrading && nowMs > this.#nextCloseMs;
  }

  add(held: Held): void {
    this.#waiting.push(held);
  }

  /** Fails all that wait: none of them leaves. */
  drop(): void {
    const dropped = this.#waiting;
    this.#waiting = [];
    const what = 'Cannot send an order: it waits for a candle that never opens';
    for (const { fail } of dropped) fail(new ExchangeFailure('unsent', what));
  }
}

/**
 * Holds back orders until their market opens: for a world in which what is decided at the close of a
 * candle reaches the exchange when the next one opens. What an open sets off waits for a later one,
 * in whatever market, unless it comes of the news of that open. All else passes at once.
 *
 * `heldMaxMs`: one that waited for longer never leaves, it fails as `unsent`. Default: it leaves.
 * `trades`: a market trades until it closes, so that only what comes between its close and its next
 * open waits. Default: only what comes of the news of an open does not.
 */
export class HeldOrders {
  readonly #clock: Clock;
  readonly #heldMaxMs: number;
  readonly #trades: boolean;
  readonly #markets = new Map<string, HeldMarket>();
  /** The newest open that let orders go. */
  #openedMs = Number.NEGATIVE_INFINITY;
  #holds = true;
  #hearsOpen = false;

  constructor(clock: Clock, { heldMaxMs = NEVER, trades = false } = {}) {
    this.#clock = clock;
    this.#trades = trades;
    this.#heldMaxMs = heldMaxMs;
  }

  /** What waits of one market. */
  of(market: string): HeldMarket {
    return getOrInsert(this.#markets, market, () => {
      const opened = (openMs: number): void => {
        this.#openedMs = openMs;
      };
      return new HeldMarket(opened, { trades: this.#trades });
    });
  }

  /** Holds nothing back any more; what waits never leaves, it fails as `unsent`. */
  end(): void {
    this.#holds = false;
    for (const market of this.#markets.values()) market.drop();
  }

  /** Tells somebody of the newest open: what that sends at once meets the markets that opened then. */
  tellOpen(tell: () => void): void {
    this.#hearsOpen = true;
    tell();
    this.#hearsOpen = false;
  }

  /**
   * The same port; no order leaves where candles are missing. What the move of one market sets off in
   * another waits until that has come to the same time.
   */
  guard(trading: TradingPort): TradingPort {
    return sendingBy(trading, (market, call) =>
      this.#isAhead(market)
        ? timer(0, this.#clock).pipe(mergeMap(() => this.#sendOutsideHoles(market, call)))
        : this.#sendOutsideHoles(market, call),
    );
  }

  #sendOutsideHoles<T>(market: string, call: () => Observable<T>): Observable<T> {
    return this.isInHole(market)
      ? throwError(() => new ExchangeFailure('unsent', IN_A_HOLE))
      : call();
  }

  /** Whether another market moves now, which this one may not have done yet. */
  #isAhead(market: string): boolean {
    for (const [name, { isMoving }] of this.#markets) if (isMoving && name !== market) return true;
    return false;
  }

  /** Whether candles of a market are missing: by `guard` no order of it leaves. */
  isInHole(market: string): boolean {
    return this.#holds && this.of(market).isInHole(this.#clock.now());
  }

  /** The same port, its orders held back. */
  wrap(trading: TradingPort): TradingPort {
    return sendingBy(trading, (market, call) => this.#hold(market, call));
  }

  #hold<T>(market: string, call: () => Observable<T>): Observable<T> {
    return new Observable<T>((subscriber) => {
      const send = (): void => void call().subscribe(subscriber);
      const held = this.of(market);
      const isOpen = this.#hearsOpen && held.openedMs === this.#openedMs;
      if (!this.#holds || isOpen || held.isPassed) {
        send();
        return;
      }
      const nowMs = this.#clock.now();
      held.add({
        fromMs: this.#trades ? nowMs : Math.max(nowMs, this.#openedMs + LATER_MS),
        untilMs: nowMs + this.#heldMaxMs,
        send,
        fail: (failure) => subscriber.error(failure),
      });
    });
  }
}

/** The same port, orders of which are sent by `send`; all else passes as it is. */
function sendingBy(
  trading: TradingPort,
  send: <T>(market: string, call: () => Observable<T>) => Observable<T>,
): TradingPort {
  return {
    place: (request) => send(request.market, () => trading.place(request)),
    placeBatch: (request) => send(request.market, () => trading.placeBatch(request)),
    cancel: (reference) => trading.cancel(reference),
    cancelAllAfter: (market) => trading.cancelAllAfter(market),
    order: (reference) => trading.order(reference),
    orders: (query) => trading.orders(query),
  };
}
