import { Observable } from 'rxjs';
import type { AccountFeedPort, AccountPush, Exchange } from '../../exchange/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { LatencyModel } from './latency.ts';

export interface OrderLatencyOptions {
  readonly clock: Clock;
  /** Until a request reaches the exchange. */
  readonly request: LatencyModel;
  /** From the exchange until its answer, or a push, is back. */
  readonly answer: LatencyModel;
}

/**
 * The same account behind a line with latency: requests reach the exchange later on the clock,
 * answers and pushes come back later still. Each direction keeps its order: nothing overtakes what
 * was sent before it, as on one connection. Without any latency everything happens at once.
 */
export function behindLatency(exchange: Exchange, options: OrderLatencyOptions): Exchange {
  const requests = new Lane(options.clock, options.request);
  const answers = new Lane(options.clock, options.answer);
  const call = <T>(inner: () => Observable<T>): Observable<T> =>
    new Observable<T>((subscriber) => {
      requests.send(() => answers.carry(inner()).subscribe(subscriber));
    });
  return accountThrough(exchange, {
    call,
    accountFeed: delayedPushes(exchange.accountFeed, answers),
  });
}

type Call = <T>(inner: () => Observable<T>) => Observable<T>;

/** The same account, whose requests are made by `call` and whose pushes come from `accountFeed`. */
export function accountThrough(
  exchange: Exchange,
  { call, accountFeed }: { readonly call: Call; readonly accountFeed: AccountFeedPort },
): Exchange {
  const { account, trading } = exchange;
  return {
    ...exchange,
    trading: {
      place: (request) => call(() => trading.place(request)),
      placeBatch: (request) => call(() => trading.placeBatch(request)),
      cancel: (reference) => call(() => trading.cancel(reference)),
      cancelAllAfter: (market) => call(() => trading.cancelAllAfter(market)),
      order: (reference) => call(() => trading.order(reference)),
      orders: (query) => call(() => trading.orders(query)),
    },
    account: { account: () => call(() => account.account()) },
    accountFeed,
  };
}

function delayedPushes(feed: AccountFeedPort, answers: Lane): AccountFeedPort {
  const stamped = <T extends { readonly receivedTime: number }>(pushes: Observable<T>) =>
    answers.carry(pushes, (push, receivedTime) => ({ ...push, receivedTime }));
  return {
    connection: () => feed.connection(),
    orders: (market) => stamped(feed.orders(market)),
    balances: () => stamped(feed.balances()),
    ...(feed.changes && { changes: () => answers.carry(feed.changes!(), restamped) }),
  };
}

function restamped({ order, balances }: AccountPush, receivedTime: number): AccountPush {
  return {
    order: order && { ...order, receivedTime },
    balances: balances && { ...balances, receivedTime },
  };
}

/** One direction of the line: everything arrives in the order in which it was sent. */
class Lane {
  readonly #clock: Clock;
  readonly #latency: LatencyModel;
  #freeMs = Number.NEGATIVE_INFINITY;
  /** How much was sent and has not arrived. */
  #underWay = 0;

  constructor(clock: Clock, latency: LatencyModel) {
    this.#clock = clock;
    this.#latency = latency;
  }

  /** Does the work when something sent now arrives, which may be at once. */
  send(work: (arrivalMs: number) => void): void {
    const nowMs = this.#clock.now();
    const arrivalMs = Math.max(this.#freeMs, nowMs + this.#latency(nowMs));
    this.#freeMs = arrivalMs;
    // Something due at this very moment may still wait for its turn.
    if (arrivalMs <= nowMs && this.#underWay === 0) {
      work(nowMs);
      return;
    }
    this.#underWay++;
    const arrive = (): void => {
      this.#underWay--;
      work(arrivalMs);
    };
    this.#clock.schedule(arrive, arrivalMs - nowMs);
  }

  /** Delays all that a stream emits, its failure and its end as well. */
  carry<T>(
    source: Observable<T>,
    restamp: (value: T, arrivalMs: number) => T = (value) => value,
  ): Observable<T> {
    return new Observable<T>((subscriber) =>
      source.subscribe({
        next: (value) => this.send((arrivalMs) => subscriber.next(restamp(value, arrivalMs))),
        error: (thrown) => this.send(() => subscriber.error(thrown)),
        complete: () => this.send(() => subscriber.complete()),
      }),
    );
  }
}
