import { Observable, Subject } from 'rxjs';
import {
  type Amount,
  amountDecimal,
  amountOf,
  type Balance,
  type Market,
  type OrderRecord,
  orderValue,
  type Price,
  subtractAmounts,
} from '../../src/domain/index.ts';
import {
  type BatchAnswer,
  CODES,
  CONTRACT_LIMITS,
  type Exchange,
  ExchangeFailure,
  type OrderReference,
  type PlaceBatchRequest,
  type PlaceRequest,
  type RateLimits,
  TIMED_CANCEL_MS,
} from '../../src/exchange/index.ts';
import { Decimal, elapsedMs, type VirtualClock } from '../../src/kernel/index.ts';

/** The fate of one request. */
export interface Fate {
  /** Milliseconds until the request arrives at the exchange; 0: within the call. Default: 5. */
  readonly thereMs?: number;
  /** Milliseconds until the answer is back; 0: at once. Default: 5. */
  readonly backMs?: number;
  /**
   * `lost`: the request never arrives; `silent`: done, but the answer is lost; `dead`: neither an
   * answer nor an error ever comes.
   */
  readonly loss?: 'lost' | 'silent' | 'dead' | 'unsent';
  /** The exchange refuses it. */
  readonly refusal?: ExchangeFailure;
  /** The answer as garbled on its way, or a failure. Default: the exchange's answer. */
  readonly answer?: unknown;
}

export type Operation =
  | 'place'
  | 'placeBatch'
  | 'cancel'
  | 'cancelAllAfter'
  | 'order'
  | 'orders'
  | 'account';

/** An order in the model's own books. */
export interface ModelOrder {
  record: OrderRecord;
  readonly clientOrderId: string | undefined;
  /** The records that reads show, each from its time on. */
  readonly seen: { readonly fromMs: number; readonly record: OrderRecord }[];
}

/**
 * A naive exchange: orders rest until told to fill, every request has a fate that the test decides.
 * It counts what it is sent the way the real one does.
 */
export class ExchangeModel {
  readonly orders: ModelOrder[] = [];
  readonly calls: {
    readonly operation: Operation;
    readonly sentMs: number;
    readonly what: unknown;
  }[] = [];
  /** When requests arrived. */
  readonly arrivals: number[] = [];
  readonly pushes = new Subject<OrderRecord>();
  /** Decides on the fate of each request. */
  fate: (operation: Operation, what: unknown) => Fate = () => ({});
  /** Lag of reads, milliseconds. */
  readLagMs = 0;
  /** Delay of pushes, milliseconds; undefined: none come. */
  pushDelayMs: number | undefined = 1;
  /** The amount that an order trades at once. An IOC order loses the rest. */
  onPlaced: (order: ModelOrder) => number = () => 0;
  cancelsWithTotals = true;
  /** Whether acknowledged cancels are carried out; if not, the order rests on. */
  carriesOutCancels = true;
  /** Whether IOC orders rest. */
  iocRests = false;
  /** How far the exchange's clock is ahead of ours, milliseconds. */
  clockAheadMs = 0;
  /** Whether it takes the order of a batch; of refused ones it tells no more than `remark`. */
  takes: (terms: { readonly price: Price; readonly amount: Amount }) => boolean = () => true;
  remark = 'a part is refused';
  /**
   * The fee told by reads of an order; pushes and answers tell none. Default: reads tell none
   * either.
   */
  feeOf: (record: OrderRecord) => Decimal | undefined = () => undefined;
  /** Whether lists of orders contain the order. */
  lists: (record: OrderRecord) => boolean = () => true;
  listsNewestFirst = true;
  /** Whether the ids of a batch's answer are in the order of its orders. */
  answersInOrder = true;
  /** Whether the order's row in lists can be read. */
  isLegible: (record: OrderRecord) => boolean = () => true;
  balances: readonly Balance[] = [];
  /** Currencies whose balance cannot be read. */
  illegible: readonly string[] = [];
  readonly #clock: VirtualClock;
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #timers = new Map<string, number>();
  readonly limits: RateLimits;
  #ids = 1_000_000_000_000_000_000n;

  constructor(
    clock: VirtualClock,
    { markets, limits = CONTRACT_LIMITS }: { markets: readonly Market[]; limits?: RateLimits },
  ) {
    this.#clock = clock;
    this.#markets = new Map(markets.map((market) => [market.id, market]));
    this.limits = limits;
  }

  /** The port for one process: once `isAlive` is false nothing leaves it any more. */
  port(isAlive: () => boolean = () => true): Exchange {
    const trading = {
      place: (request: PlaceRequest) =>
        this.#request(isAlive, 'place', { what: request, act: () => this.#place(request) }),
      placeBatch: (request: PlaceBatchRequest) =>
        this.#request(isAlive, 'placeBatch', {
          what: request,
          act: () => this.#placeBatch(request),
        }),
      cancel: (reference: OrderReference) =>
        this.#request(isAlive, 'cancel', { what: reference, act: () => this.#cancel(reference) }),
      cancelAllAfter: (market: string) =>
        this.#request(isAlive, 'cancelAllAfter', { what: market, act: () => this.#arm(market) }),
      order: (reference: OrderReference) =>
        this.#request(isAlive, 'order', { what: reference, act: () => this.#read(reference) }),
      orders: (query: Parameters<Exchange['trading']['orders']>[0]) =>
        this.#request(isAlive, 'orders', { what: query, act: () => this.#page(query) }),
    };
    const account = {
      account: () =>
        this.#request(isAlive, 'account', {
          what: undefined,
          act: () => ({
            ...{ balances: this.balances, illegible: this.illegible },
            permissions: { assets: true, orders: true, withdrawals: false, margin: false },
          }),
        }),
    };
    return { trading, account, limits: this.limits } as unknown as Exchange;
  }

  /** The orders that rest now. */
  get open(): readonly ModelOrder[] {
    return this.orders.filter(({ record }) => !record.closed);
  }

  of(operation: Operation): readonly { readonly sentMs: number; readonly what: unknown }[] {
    return this.calls.filter((call) => call.operation === operation);
  }

  /** When the market's timed cancel fires, undefined: it is not armed. */
  firesAtMs(market: string): number | undefined {
    return this.#timers.get(market);
  }

  /** Most requests that arrived within any window of that length. */
  most(windowMs: number): number {
    let most = 0;
    let from = 0;
    const times = [...this.arrivals].sort((a, b) => a - b);
    times.forEach((time, index) => {
      while (times[from]! <= time - windowMs) from++;
      most = Math.max(most, index - from + 1);
    });
    return most;
  }

  /** Fills an order. Default: its whole open amount. */
  fill(order: ModelOrder, amount?: number): void {
    const { record } = order;
    if (record.closed) return;
    const market = this.#markets.get(record.market)!;
    const left = subtractAmounts(market, record.amount, record.filledAmount);
    const part = amountOf(market, Math.min(amount ?? left, left));
    if (part <= 0) return;
    const filled = amountDecimal(market, record.filledAmount).plus(amountDecimal(market, part));
    const filledAmount = filled.toNumber() as Amount;
    const value = orderValue(market, { price: record.price, amount: part });
    this.#change(order, {
      filledAmount,
      filledValue: record.filledValue.plus(value),
      closed: filledAmount >= record.amount,
    });
  }

  /** Ends an order that somebody else cancelled. */
  end(order: ModelOrder): void {
    if (!order.record.closed) this.#change(order, { closed: true });
  }

  /** Places an order that is not ours. */
  placeForeign(request: Omit<PlaceRequest, 'clientOrderId'>): ModelOrder {
    this.#place(request);
    return this.orders.at(-1)!;
  }

  #request<T>(
    isAlive: () => boolean,
    operation: Operation,
    { what, act }: { what: unknown; act: () => T },
  ): Observable<T> {
    return new Observable<T>((subscriber) => {
      if (!isAlive()) return;
      const fate = this.fate(operation, what);
      const sentMs = this.#clock.now();
      if (fate.loss === 'unsent') {
        subscriber.error(new ExchangeFailure('unsent', 'Cannot send: the line is down'));
        return;
      }
      this.calls.push({ operation, sentMs, what });
      if (fate.loss === 'dead') return;
      const { thereMs = 5, backMs = 5 } = fate;
      this.#after(thereMs, () => {
        if (fate.loss !== 'lost') this.arrivals.push(this.#clock.now());
        this.#fireTimers();
        let answer: () => void;
        try {
          if (fate.refusal !== undefined) throw fate.refusal;
          const value = fate.loss === 'lost' ? undefined : act();
          answer = () => {
            if (fate.answer instanceof ExchangeFailure) subscriber.error(fate.answer);
            else if (fate.loss === undefined) {
              subscriber.next((fate.answer ?? value) as T);
              subscriber.complete();
            } else {
              subscriber.error(new ExchangeFailure('unknown', `Cannot tell: ${fate.loss}`));
            }
          };
        } catch (thrown) {
          const failure =
            fate.loss === undefined ? thrown : new ExchangeFailure('unknown', 'Cannot tell');
          answer = () => subscriber.error(failure);
        }
        this.#after(backMs, () => answer());
      });
    });
  }

  #after(delayMs: number, work: () => void): void {
    if (delayMs === 0) work();
    else this.#clock.schedule(work, delayMs);
  }

  #place(request: PlaceRequest): { exchangeOrderId: string } {
    const { market, side, type, price, amount, clientOrderId } = request;
    const exchangeOrderId = String(this.#ids++);
    const record: OrderRecord = {
      ...{ market, side, type, price, amount, exchangeOrderId, closed: false },
      filledAmount: 0 as Amount,
      filledValue: Decimal.ZERO,
      exchangeTime: this.#clock.now() + this.clockAheadMs,
    };
    const order: ModelOrder = { record, clientOrderId, seen: [] };
    this.orders.push(order);
    this.#change(order, {});
    const part = this.onPlaced(order);
    if (part > 0) this.fill(order, part);
    if (type === 'ioc' && !this.iocRests) this.end(order);
    return { exchangeOrderId };
  }

  #placeBatch({ market, side, orders }: PlaceBatchRequest): BatchAnswer {
    const taken = orders.filter((order) => this.takes(order));
    const exchangeOrderIds = taken.map(
      (order) => this.#place({ ...order, market, side, type: 'limit' }).exchangeOrderId,
    );
    const isPart = taken.length < orders.length;
    if (!this.answersInOrder) exchangeOrderIds.push(exchangeOrderIds.shift()!);
    return { exchangeOrderIds, ...(isPart ? { remark: this.remark } : {}) };
  }

  #cancel(reference: OrderReference) {
    const order = this.#find(reference);
    if (order === undefined || order.record.closed) throw notFound();
    if (this.carriesOutCancels) this.#change(order, { closed: true });
    const { amount, price, filledAmount, filledValue } = order.record;
    return this.cancelsWithTotals ? { amount, price, filledAmount, filledValue } : undefined;
  }

  #arm(market: string): void {
    this.#timers.set(market, this.#clock.now() + TIMED_CANCEL_MS);
    this.#clock.schedule(() => this.#fireTimers(), TIMED_CANCEL_MS);
  }

  #fireTimers(): void {
    for (const [market, atMs] of this.#timers) {
      if (atMs > this.#clock.now()) continue;
      this.#timers.delete(market);
      for (const order of this.open) if (order.record.market === market) this.end(order);
    }
  }

  #read(reference: OrderReference): OrderRecord {
    const order = this.#find(reference);
    const record = order && this.#seen(order);
    if (record === undefined) throw notFound();
    return record;
  }

  #page({ market, side, page }: { market: string; side: string; page: number }) {
    const orders = this.listsNewestFirst ? this.orders.toReversed() : this.orders;
    const records = orders
      .filter(({ record }) => record.market === market && record.side === side)
      .flatMap((order) => this.#seen(order) ?? [])
      .filter((record) => this.lists(record))
      .slice((page - 1) * 10, page * 10);
    if (records.length === 0) throw notFound();
    const illegible = records.filter((record) => !this.isLegible(record));
    return Object.assign(
      records.filter((record) => this.isLegible(record)),
      { illegible: illegible.map(({ exchangeOrderId }) => exchangeOrderId) },
    );
  }

  #seen({ seen }: ModelOrder): OrderRecord | undefined {
    const record = seen.filter(({ fromMs }) => fromMs <= elapsedMs(this.#clock)).at(-1)?.record;
    return record && { ...record, fee: this.feeOf(record) };
  }

  /** The newest order with the id. */
  #find(reference: OrderReference): ModelOrder | undefined {
    return this.orders.findLast((order) =>
      'exchangeOrderId' in reference
        ? order.record.exchangeOrderId === reference.exchangeOrderId
        : order.clientOrderId === reference.clientOrderId,
    );
  }

  #change(order: ModelOrder, change: Partial<OrderRecord>): void {
    const record = { ...order.record, ...change };
    order.record = record;
    order.seen.push({ fromMs: elapsedMs(this.#clock) + this.readLagMs, record });
    if (this.pushDelayMs === undefined) return;
    this.#clock.schedule(() => this.pushes.next(record), this.pushDelayMs);
  }
}

function notFound(): ExchangeFailure {
  return new ExchangeFailure('rejected', 'Cannot find the order', { code: CODES.orderNotFound });
}

/** A price or an amount as the types want it. */
export const price = (value: number): Price => value as Price;
export const amount = (value: number): Amount => value as Amount;
