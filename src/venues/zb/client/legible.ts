import type { Balance, Ticker } from '../../../domain/index.ts';
import type { AccountInfo, MarketList, OrdersPage } from '../../../exchange/index.ts';
import { BoundedMap, type Logger, messageOf } from '../../../kernel/index.ts';
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  orderTypeOf,
  readAccount,
  readCoins,
  readMarkets,
  readOrder,
  readOrders,
  readTickers,
  WireError,
} from '../wire/index.ts';

/** How many orders that cannot be read are told once each. */
const TOLD_MAX = 1_000;

/**
 * Reads lists so that one odd row ends no other's reading: orders of a kind that this client never
 * places, coins that nobody trades, a market whose rules are not all set. What could not be read is
 * named in the answer, and told to the log, each once.
 */
export class LegibleRows {
  readonly #logger: Logger;
  readonly #told = new BoundedMap<string, true>(TOLD_MAX);

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /**
   * A page of orders of `market`.
   *
   * @throws {WireError} where not one of them can be read, but for orders of another kind: it is the
   * answer that is odd then.
   */
  orders(json: unknown, market: string): OrdersPage {
    return retried(
      () => readOrders(json, market),
      () => {
        const rows = listOf(json, 'orders');
        const what = `an order of ${market}`;
        const { read, odd } = this.#readEach(rows, {
          read: (row) => readOrder(row, market),
          named: (row) => ({ what, name: exchangeOrderIdOf(row) }),
        });
        if (read.length === 0) throwFirst(odd.filter(({ row }) => !isOfOtherKind(row)));
        return Object.assign(read, { illegible: odd.map(({ name }) => name) });
      },
    );
  }

  /** The account. @throws {WireError} where not one of its coins can be read. */
  account(json: unknown): AccountInfo {
    return retried(
      () => readAccount(json),
      () => {
        const answer = fieldsOf(json, 'account');
        const result = fieldsOf(answer.result, "account's result");
        const { coins, illegible } = this.#coins(result.coins);
        return { ...readAccount({ ...answer, result: { ...result, coins } }), illegible };
      },
    );
  }

  /** Balances of the coins that can be read. @throws {WireError} where there is not one. */
  balances(coins: unknown): readonly Balance[] {
    return retried(
      () => readCoins(coins),
      () => readCoins(this.#coins(coins).coins),
    );
  }

  /** The rules of all markets. @throws {WireError} where not one of them can be read. */
  markets(json: unknown): MarketList {
    return retried(
      () => readMarkets(json),
      () => {
        const what = 'the rules of a market';
        const { entries, illegible } = this.#entries(json, { what, read: readMarkets });
        return Object.assign([...readMarkets(entries)], { illegible });
      },
    );
  }

  /** The tickers of all markets. @throws {WireError} where not one of them can be read. */
  tickers(json: unknown, options: Parameters<typeof readTickers>[1]): readonly Ticker[] {
    const read = (tickers: unknown) => readTickers(tickers, options);
    return retried(
      () => read(json),
      () => read(this.#entries(json, { what: 'a ticker', read }).entries),
    );
  }

  /** Of an object by market what can be read. */
  #entries(
    json: unknown,
    { what, read }: { readonly what: string; readonly read: (one: Fields) => unknown },
  ): { readonly entries: Fields; readonly illegible: readonly string[] } {
    const all = this.#readEach(Object.entries(fieldsOf(json, 'markets')), {
      read: (entry) => {
        read(Object.fromEntries([entry]));
        return entry;
      },
      named: ([name]) => ({ what, name }),
    });
    if (all.read.length === 0) throwFirst(all.odd);
    const illegible = all.odd.map(({ name }) => name);
    return { entries: Object.fromEntries(all.read), illegible };
  }

  #coins(coins: unknown): { readonly coins: unknown[]; readonly illegible: readonly string[] } {
    const { read, odd } = this.#readEach(listOf(coins, 'coins'), {
      read: (coin) => {
        readCoins([coin]);
        return coin;
      },
      named: (coin) => ({ what: 'the balance of a coin', name: currencyOf(coin) }),
    });
    if (read.length === 0) throwFirst(odd);
    return { coins: read, illegible: odd.map(({ name }) => name) };
  }

  #readEach<R, T>(rows: readonly R[], { read, named }: RowReading<R, T>): RowsRead<R, T> {
    const all: RowsRead<R, T> = { read: [], odd: [] };
    for (const row of rows) {
      try {
        all.read.push(read(row));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        const { what, name } = named(row);
        if (name === undefined) throw error;
        all.odd.push({ row, name, error });
        this.#tell(what, { name, error });
      }
    }
    return all;
  }

  #tell(what: string, { name, error }: { readonly name: string; readonly error: WireError }): void {
    const key = `${what} ${name}`;
    if (this.#told.has(key)) return;
    this.#told.set(key, true);
    const reason = messageOf(error);
    this.#logger.warn({ name, reason }, `${what} cannot be read, it is left out: ${name}`);
  }
}

interface RowReading<R, T> {
  /** @throws {WireError} */
  readonly read: (row: R) => T;
  /** What the row tells of, and its name; undefined: it has none. */
  readonly named: (row: R) => { readonly what: string; readonly name: string | undefined };
}

interface RowsRead<R, T> {
  readonly read: T[];
  readonly odd: { readonly row: R; readonly name: string; readonly error: WireError }[];
}

/** Costs no more than the first way where that can read all. */
function retried<T>(first: () => T, second: () => T): T {
  try {
    return first();
  } catch (error) {
    if (error instanceof WireError) return second();
    throw error;
  }
}

/** @throws {WireError} where there is one. */
function throwFirst(odd: readonly { readonly error: WireError }[]): void {
  if (odd[0] !== undefined) throw odd[0].error;
}

/** Whether an order is of a type that nobody told us of, and so none that was placed from here. */
function isOfOtherKind(row: unknown): boolean {
  const code = isFields(row) ? Number(row.type) : Number.NaN;
  return Number.isInteger(code) && orderTypeOf(code) === undefined;
}

/** The digits of an order's id; undefined where it has none. */
function exchangeOrderIdOf(row: unknown): string | undefined {
  const id = isFields(row) ? String(row.id) : '';
  return /^\d+$/.test(id) ? id : undefined;
}

function currencyOf(coin: unknown): string | undefined {
  const { key }: Fields = isFields(coin) ? coin : {};
  return typeof key === 'string' ? key.toLowerCase() : undefined;
}
