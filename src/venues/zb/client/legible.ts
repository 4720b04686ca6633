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
  readCoin,
  readMarket,
  readOrder,
  tickerReader,
  WireError,
} from '../wire/index.ts';

/** How many illegible rows are remembered, so that each is logged once. */
const TOLD_MAX = 1_000;

/**
 * Reads lists so that one odd row does not spoil the others: an order of a kind that this client
 * never places, a coin that nobody trades, a market whose rules are incomplete. Rows that could not
 * be read are named in the answer, and logged, each once.
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
   * @throws {WireError} when none can be read and not all are of an unknown kind: then the answer
   * itself is odd.
   */
  orders(json: unknown, market: string): OrdersPage {
    const { read, odd } = this.#readEach(listOf(json, 'orders'), {
      what: `an order of ${market}`,
      read: (row) => readOrder(row, market),
      nameOf: exchangeOrderIdOf,
      isStrange: isOfOtherKind,
    });
    return Object.assign(read, illegibleOf(odd));
  }

  /** The account. @throws {WireError} when none of its coins can be read. */
  account(json: unknown): AccountInfo {
    let illegible: Illegible = {};
    const account = readAccount(json, (coins) => {
      const { read, odd } = this.#coins(coins);
      illegible = illegibleOf(odd);
      return read;
    });
    return { ...account, ...illegible };
  }

  /** Balances of the coins that can be read. @throws {WireError} when none can. */
  balances(coins: unknown): readonly Balance[] {
    return this.#coins(coins).read;
  }

  /** The rules of all markets. @throws {WireError} when none can be read. */
  markets(json: unknown): MarketList {
    const entries = Object.entries(fieldsOf(json, 'markets'));
    const { read, odd } = this.#readEach(entries, {
      ...{ what: 'the rules of a market', read: readMarket, nameOf: firstOf },
    });
    return Object.assign(read, illegibleOf(odd));
  }

  /** The tickers of all markets. @throws {WireError} when none can be read. */
  tickers(json: unknown, options: Parameters<typeof tickerReader>[0]): readonly Ticker[] {
    const entries = Object.entries(fieldsOf(json, 'tickers'));
    return this.#readEach(entries, {
      ...{ what: 'a ticker', read: tickerReader(options), nameOf: firstOf },
    }).read.flat();
  }

  #coins(coins: unknown): RowsRead<unknown, Balance> {
    return this.#readEach(listOf(coins, 'coins'), {
      ...{ what: 'the balance of a coin', read: readCoin, nameOf: currencyOf },
    });
  }

  /** @throws {WireError} when no row can be read and one of them is not strange. */
  #readEach<R, T>(
    rows: readonly R[],
    { what, read, nameOf, isStrange = () => false }: RowReading<R, T>,
  ): RowsRead<R, T> {
    const all: RowsRead<R, T> = { read: [], odd: [] };
    for (const row of rows) {
      try {
        all.read.push(read(row));
      } catch (error) {
        const name = error instanceof WireError ? nameOf(row) : undefined;
        if (name === undefined) throw error;
        all.odd.push({ row, name, error: error as WireError });
        this.#tell(what, { name, error: error as WireError });
      }
    }
    const first = all.odd.find(({ row }) => !isStrange(row));
    if (all.read.length === 0 && first !== undefined) throw first.error;
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
  /** What a row is, for the log. */
  readonly what: string;
  /** @throws {WireError} */
  readonly read: (row: R) => T;
  /** Undefined: the row has none. */
  readonly nameOf: (row: R) => string | undefined;
  /** Whether a row is of a kind that we do not know. Default: none is. */
  readonly isStrange?: (row: R) => boolean;
}

interface RowsRead<R, T> {
  readonly read: T[];
  readonly odd: { readonly row: R; readonly name: string; readonly error: WireError }[];
}

type Illegible = Pick<AccountInfo, 'illegible'>;

/** The names of odd rows, if there are any. */
function illegibleOf(odd: readonly { readonly name: string }[]): Illegible {
  return odd.length === 0 ? {} : { illegible: odd.map(({ name }) => name) };
}

function firstOf([name]: readonly [string, unknown]): string {
  return name;
}

/** Whether an order is of a type that we do not know, and so was not placed from here. */
function isOfOtherKind(row: unknown): boolean {
  const code = isFields(row) ? Number(row.type) : Number.NaN;
  return Number.isInteger(code) && orderTypeOf(code) === undefined;
}

/** The digits of an order's id; undefined if it has none. */
function exchangeOrderIdOf(row: unknown): string | undefined {
  const id = isFields(row) ? String(row.id) : '';
  return /^\d+$/.test(id) ? id : undefined;
}

function currencyOf(coin: unknown): string | undefined {
  const { key }: Fields = isFields(coin) ? coin : {};
  return typeof key === 'string' ? key.toLowerCase() : undefined;
}
