import { map, type Observable } from 'rxjs';
import type { Balance, OrderRecord } from '../../src/domain/index.ts';
import type { AccountInfo, ExchangeHost, FullExchange } from '../../src/exchange/index.ts';
import type { Clock, Random } from '../../src/kernel/index.ts';

export interface StaleReadsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: string;
  readonly markets: readonly string[];
  /** How far a read may lag behind the truth at most. */
  readonly staleMs: number;
}

/** What something was, from a time on. */
interface Version<T> {
  readonly fromMs: number;
  readonly value: T;
}

/**
 * An exchange whose reads are answered by machines that lag behind those that trade, each by another
 * time: an order that has filled or ended still rests in them, and of two reads the later one may know
 * less. Pushes and the answers to orders and cancels are of now. How long no read finds young orders
 * is a setting of the exchange itself.
 */
export function staleReads(host: ExchangeHost, options: StaleReadsOptions): ExchangeHost {
  const full = host.account(options.account)!;
  const past = new Past(full, options);
  return {
    market: host.market,
    marketFeed: host.marketFeed,
    account: (name, rights) => {
      const exchange = host.account(name, rights);
      return exchange && name === options.account ? withPast(exchange, past) : exchange;
    },
  };
}

function withPast(exchange: FullExchange, past: Past): FullExchange {
  const { trading, account } = exchange;
  return {
    ...exchange,
    trading: {
      place: (request) => trading.place(request),
      placeBatch: (request) => trading.placeBatch(request),
      cancel: (reference) => trading.cancel(reference),
      cancelAllAfter: (market) => trading.cancelAllAfter(market),
      order: (reference) => past.order(trading.order(reference)),
      orders: (query) => past.orders(trading.orders(query)),
    },
    account: { account: () => past.balances(account.account()) },
  };
}

/** What orders and balances were a while ago. */
class Past {
  readonly #options: StaleReadsOptions;
  readonly #orders = new Map<string, Version<OrderRecord>[]>();
  readonly #balances = new Map<string, Version<Balance>[]>();

  constructor({ accountFeed }: FullExchange, options: StaleReadsOptions) {
    this.#options = options;
    for (const market of options.markets) {
      accountFeed
        .orders(market)
        .subscribe(({ order }) => this.#note(this.#orders, order.exchangeOrderId, order));
    }
    accountFeed.balances().subscribe(({ balances }) => {
      for (const balance of balances) this.#note(this.#balances, balance.currency, balance);
    });
  }

  order(now: Observable<OrderRecord>): Observable<OrderRecord> {
    const atMs = this.#drawMs();
    return now.pipe(map((record) => this.#asOf(record, atMs)));
  }

  orders(now: Observable<readonly OrderRecord[]>): Observable<readonly OrderRecord[]> {
    const atMs = this.#drawMs();
    return now.pipe(map((page) => page.map((record) => this.#asOf(record, atMs))));
  }

  balances(now: Observable<AccountInfo>): Observable<AccountInfo> {
    const atMs = this.#drawMs();
    return now.pipe(
      map((info) => {
        const former = (balance: Balance) =>
          versionAt(this.#balances.get(balance.currency), atMs) ?? balance;
        return { ...info, balances: info.balances.map(former) };
      }),
    );
  }

  #drawMs(): number {
    const { clock, random, staleMs } = this.#options;
    return clock.now() - random.integer(staleMs + 1);
  }

  #asOf(record: OrderRecord, atMs: number): OrderRecord {
    return versionAt(this.#orders.get(record.exchangeOrderId), atMs) ?? record;
  }

  #note<T>(of: Map<string, Version<T>[]>, name: string, value: T): void {
    const nowMs = this.#options.clock.now();
    const versions = of.get(name) ?? [];
    of.set(name, versions);
    versions.push({ fromMs: nowMs, value });
    const oldestMs = nowMs - this.#options.staleMs;
    while (versions.length > 1 && versions[1]!.fromMs <= oldestMs) versions.shift();
  }
}

/** The newest version that there was by then, or the first; undefined where none was told. */
function versionAt<T>(versions: readonly Version<T>[] | undefined, atMs: number): T | undefined {
  return (versions?.findLast(({ fromMs }) => fromMs <= atMs) ?? versions?.[0])?.value;
}
