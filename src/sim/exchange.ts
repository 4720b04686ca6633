import type { Market } from '../domain/index.ts';
import type {
  Exchange,
  ExchangeHost,
  MarketDataPort,
  MarketFeedPort,
  Permissions,
} from '../exchange/index.ts';
import type { Clock, Decimal } from '../kernel/index.ts';
import { AccountPushes } from './account-pushes.ts';
import { Accounts, FEE_ROW } from './accounts.ts';
import { Calls, type Latency } from './calls.ts';
import { Currencies } from './currencies.ts';
import { SimulationError } from './errors.ts';
import { DEFAULT_FEE_RATE, FeeRate } from './fee-rate.ts';
import { SimulatedMarketFeed } from './feeds.ts';
import type { Liquidity } from './liquidity.ts';
import { SimulatedMarketData } from './market-data.ts';
import { marketUnits } from './market-units.ts';
import { OrderIds } from './order-ids.ts';
import { Publisher } from './publisher.ts';
import {
  type AccountInspection,
  type AccountOptions,
  type Deposits,
  SimulatedAccount,
} from './simulated-account.ts';
import { type MinuteBar, SimulatedMarket } from './simulated-market.ts';
import type { TradingFloor } from './trading-floor.ts';

const DEFAULT_PERMISSIONS: Permissions = {
  assets: true,
  orders: true,
  withdrawals: false,
  margin: true,
};

/** Least time between two depth pushes of a market. Source: the venue's recorded streams. */
const DEFAULT_DEPTH_INTERVAL_MS = 100;

export interface SimulatedExchangeOptions {
  readonly clock: Clock;
  readonly markets: readonly Market[];
  readonly accounts: readonly AccountOptions[];
  /** Fractions of what a trade brings in. Default: 0.002 each. */
  readonly fees?: { readonly maker: number; readonly taker: number };
  /** How long reads do not find an order after it was taken, milliseconds. Default: 0. */
  readonly readLagMs?: number;
  /** Default: none; all answers are synchronous. */
  readonly latency?: Latency;
  /** Least milliseconds between two pushes of depth or ticker; 0 pushes every change. Default: 100. */
  readonly depthIntervalMs?: number;
  /** The number behind the date of the first order id. Default: from the time of day. */
  readonly firstOrderId?: number;
}

/**
 * The exchange itself, in process: matching, balances, fees, timed cancels, market data and pushes.
 *
 * It enforces no rate limits and breaks no connection: those belong to the wire in front of it. It
 * lends nothing, so `borrow` and `repay` change nothing: an order needs its own money.
 */
export class SimulatedExchange implements ExchangeHost {
  readonly market: MarketDataPort;
  readonly marketFeed: MarketFeedPort;
  readonly #floor: TradingFloor;
  readonly #accounts = new Map<string, SimulatedAccount>();

  /** @throws {SimulationError} for markets, accounts or fees that cannot be held exactly. */
  constructor(options: SimulatedExchangeOptions) {
    const pushes = options.accounts.map(() => new AccountPushes());
    this.#floor = openFloor(options, pushes);
    this.market = new SimulatedMarketData(this.#floor);
    this.marketFeed = new SimulatedMarketFeed(this.#floor);
    for (const [number, account] of options.accounts.entries()) {
      this.#open(account, { number, pushes: pushes[number]! });
    }
    this.#floor.accounts.drainChanges();
  }

  account(name: string): Exchange | undefined {
    return this.#accounts.get(name)?.exchange;
  }

  /** The inlet of anonymous liquidity. @throws {SimulationError} when there is no such market. */
  anonymous(market: string): Liquidity {
    return this.#market(market).liquidity;
  }

  /**
   * Gives a market a past, for candles and the 24-hour ticker: minutes in order of time.
   *
   * @throws {SimulationError} when there is no such market or a minute is out of place.
   */
  seedHistory(market: string, minutes: readonly MinuteBar[]): void {
    this.#market(market).seedHistory(minutes);
  }

  /** Changes what an account may do from now on. */
  setPermissions(name: string, permissions: Partial<Permissions>): void {
    const account = this.#account(name);
    account.permissions = { ...account.permissions, ...permissions };
  }

  /** Everything there is to know of an account. @throws {SimulationError} when there is none such. */
  inspect(name: string): AccountInspection {
    return this.#account(name).inspect();
  }

  /** All money of a currency, fees and the debts of the rest of the world included: never changes. */
  totalOf(currency: string): Decimal {
    const { accounts } = this.#floor;
    const { currencies } = accounts;
    return currencies.money(currency, accounts.total(currencies.indexOf(currency)));
  }

  /** All fees taken so far in a currency. */
  feesOf(currency: string): Decimal {
    const { accounts } = this.#floor;
    const { currencies } = accounts;
    const units = accounts.available(FEE_ROW, currencies.indexOf(currency));
    return currencies.money(currency, units);
  }

  #open(options: AccountOptions, parts: { number: number; pushes: AccountPushes }): void {
    const { name, balances, marginBalances = {} } = options;
    if (this.#accounts.has(name)) {
      throw new SimulationError(`Cannot open the account ${name}: there is one already`);
    }
    const wallets = [balances, marginBalances.isolated ?? {}, marginBalances.cross ?? {}];
    for (const [accountType, deposits] of wallets.entries()) {
      this.#deposit(this.#floor.accounts.rowOf(parts.number, accountType), deposits);
    }
    const permissions = { ...DEFAULT_PERMISSIONS, ...options.permissions };
    const { market, marketFeed } = this;
    const account = { ...parts, permissions, market, marketFeed };
    this.#accounts.set(name, new SimulatedAccount(this.#floor, account));
  }

  #deposit(row: number, deposits: Deposits): void {
    const { accounts } = this.#floor;
    const { currencies } = accounts;
    for (const [name, text] of Object.entries(deposits)) {
      const units = currencies.units(name, text);
      const currency = currencies.indexOf(name);
      accounts.deposit(row, { currency, units });
      if (Number.isSafeInteger(accounts.total(currency))) continue;
      throw new SimulationError(
        `Cannot deposit ${text} ${name}: all accounts together would hold more than 2^53 units`,
      );
    }
  }

  #market(id: string): SimulatedMarket {
    const market = this.#floor.markets.get(id);
    if (market !== undefined) return market;
    throw new SimulationError(`Cannot find the market ${id}: the exchange has none such`);
  }

  #account(name: string): SimulatedAccount {
    const account = this.#accounts.get(name);
    if (account !== undefined) return account;
    throw new SimulationError(`Cannot find the account ${name}: the exchange has none such`);
  }
}

function openFloor(
  options: SimulatedExchangeOptions,
  pushes: readonly AccountPushes[],
): TradingFloor {
  const { clock } = options;
  const { requestMs = 0, answerMs = 0, pushMs = 0 } = options.latency ?? {};
  const currencies = new Currencies(options.markets, currenciesHeld(options.accounts));
  const accounts = new Accounts(currencies, options.accounts.length);
  const publisher = new Publisher({ clock, accounts, pushes, pushMs });
  const publish = () => publisher.publish();
  const floor: TradingFloor = {
    clock,
    accounts,
    markets: new Map(),
    calls: new Calls({ clock, latency: { requestMs, answerMs, pushMs }, publish }),
    ids: new OrderIds(clock, options.firstOrderId),
    publisher,
    pushMs,
    readLagMs: options.readLagMs ?? 0,
  };
  return { ...floor, markets: openMarkets(options, floor) };
}

function openMarkets(
  { markets, fees, depthIntervalMs = DEFAULT_DEPTH_INTERVAL_MS }: SimulatedExchangeOptions,
  { clock, accounts, ids, publisher, pushMs }: TradingFloor,
): Map<string, SimulatedMarket> {
  const rates = {
    maker: new FeeRate(fees?.maker ?? DEFAULT_FEE_RATE),
    taker: new FeeRate(fees?.taker ?? DEFAULT_FEE_RATE),
  };
  let ordinal = 0;
  const open = (market: Market): [string, SimulatedMarket] => {
    const units = marketUnits(market, accounts.currencies);
    const simulated: SimulatedMarket = new SimulatedMarket({
      clock,
      units,
      accounts,
      fees: rates,
      ids,
      nextOrdinal: () => ordinal++,
      orderChanged: (order) => publisher.orderChanged(order, units),
      depthIntervalMs,
      pushMs,
      publish: () => {
        publisher.marketChanged(simulated);
        publisher.publish();
      },
    });
    return [market.id, simulated];
  };
  const opened = new Map(markets.map(open));
  if (opened.size === markets.length) return opened;
  throw new SimulationError('Cannot open the markets: an id occurs twice, each once is wanted');
}

function currenciesHeld(accounts: readonly AccountOptions[]): string[] {
  return accounts.flatMap(({ balances, marginBalances }) => [
    ...Object.keys(balances),
    ...Object.keys(marginBalances?.isolated ?? {}),
    ...Object.keys(marginBalances?.cross ?? {}),
  ]);
}
