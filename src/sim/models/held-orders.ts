import { mergeMap, Observable, throwError, timer } from 'rxjs';
import { ExchangeFailure, type TradingPort } from '../../exchange/index.ts';
import { type Clock, getOrInsert } from '../../kernel/index.ts';

const IN_A_HOLE = 'Cannot send an order: candles are missing, the next one is wanted';
const WAITED_IN_VAIN = 'Cannot send an order: the candle at whose open it was to leave is missing';

/** The least time by which one open is later than another: opens are at whole milliseconds. */
const LATER_MS = 1;
const NEVER = Number.POSITIVE_INFINITY;

/** An order that waits for an open. */
interface Held {
  /** The earliest and the latest open at which it may leave, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly send: () => void;
  readonly fail: (failure: ExchangeFailure) => void;
}

/** The orders of one market that wait for its open; none leaves at an open before it was made. */
export class HeldMarket {
  /** When the market opened last, milliseconds since the epoch. */
  openedMs = Number.NEGATIVE_INFINITY;
  /** Whether the market is moving right now: orders sent meanwhile are triggered by its move. */
  isMoving = false;
  #isTrading = false;
  /** When its next candle closes if none is missing. */
  #nextCloseMs = NEVER;
  #waiting: Held[] = [];
  readonly #opened: (openMs: number) => void;
  readonly #trades: boolean;

  /** `trades`: whether it trades from its open to its close, and not only at the open. */
  constructor(opened: (openMs: number) => void, { trades }: { readonly trades: boolean }) {
    this.#opened = opened;
    this.#trades = trades;
  }

  /** Whether an order may pass now: the market trades, and no waiting order would be overtaken. */
  get isPassed(): boolean {
    return this.#isTrading && this.#waiting.length === 0;
  }

  /** The earliest open at which an order may leave; infinite while none waits. */
  get dueMs(): number {
    return this.#waiting.length === 0 ? NEVER : this.#waiting[0]!.fromMs;
  }

  /** The market opens: sends all orders that were made by then, in their order. */
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

  /** The market closes, and should next close at `nextMs`: new orders wait for its next open. */
  closes(nextMs: number): void {
    this.isMoving = false;
    this.#isTrading = false;
    this.#nextCloseMs = nextMs;
  }

  /**
   * The market moves to the open or the close of a candle that lasts until `untilMs`. Orders
   * triggered by that move count as sent in this candle, not in a hole before it.
   */
  moves(untilMs: number): void {
    this.isMoving = true;
    this.#nextCloseMs = untilMs;
  }

  /** Whether candles are missing at that time, so that nobody knows the market's price. */
  isInHole(nowMs: number): boolean {
    return !this.#isTrading && nowMs > this.#nextCloseMs;
  }

  add(held: Held): void {
    this.#waiting.push(held);
  }

  /** Fails all waiting orders: none of them is sent. */
  drop(): void {
    const dropped = this.#waiting;
    this.#waiting = [];
    const what = 'Cannot send an order: it waits for a candle that never opens';
    for (const { fail } of dropped) fail(new ExchangeFailure('unsent', what));
  }
}

/**
 * Holds back orders until their market opens: for backtests in which an order made at the close of
 * a candle reaches the exchange when the next one opens. An order triggered by an open, in whatever
 * market, waits for a later open, unless it is made on the news of that open. Requests other than
 * new orders pass at once.
 *
 * `heldMaxMs`: an order that waited for longer fails as `unsent`. Default: it leaves all the same.
 * `trades`: a market trades until it closes, so that only orders between its close and its next
 * open wait. Default: all orders wait except those made on the news of an open.
 */
export class HeldOrders {
  readonly #clock: Clock;
  readonly #heldMaxMs: number;
  readonly #trades: boolean;
  readonly #markets = new Map<string, HeldMarket>();
  /** The newest open of any market. */
  #openedMs = Number.NEGATIVE_INFINITY;
  #holds = true;
  #hearsOpen = false;

  constructor(clock: Clock, { heldMaxMs = NEVER, trades = false } = {}) {
    this.#clock = clock;
    this.#trades = trades;
    this.#heldMaxMs = heldMaxMs;
  }

  /** The waiting orders of one market. */
  of(market: string): HeldMarket {
    return getOrInsert(this.#markets, market, () => {
      const opened = (openMs: number): void => {
        this.#openedMs = openMs;
      };
      return new HeldMarket(opened, { trades: this.#trades });
    });
  }

  /** Holds back no more orders; those that wait fail as `unsent`. */
  end(): void {
    this.#holds = false;
    for (const market of this.#markets.values()) market.drop();
  }

  /** Tells somebody of the newest open: orders sent in reply meet the markets that opened then. */
  tellOpen(tell: () => void): void {
    this.#hearsOpen = true;
    tell();
    this.#hearsOpen = false;
  }

  /**
   * The same port, but no order is sent where candles are missing. An order that the move of one
   * market triggers in another waits until the other has moved to the same time.
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

  /** Whether another market is moving right now, to a time that this one may not have reached. */
  #isAhead(market: string): boolean {
    for (const [name, { isMoving }] of this.#markets) if (isMoving && name !== market) return true;
    return false;
  }

  /** Whether candles of a market are missing now: `guard` then sends no order there. */
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

/** The same port, whose orders are sent by `send`; all other requests pass as they are. */
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
