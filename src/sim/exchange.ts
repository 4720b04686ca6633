import type { Amount, Level, Market, OrderCharges } from '../domain/index.ts';
import type {
  ExchangeHost,
  FullExchange,
  MarketDataPort,
  MarketFeedPort,
} from '../exchange/index.ts';
import type { Clock, Decimal } from '../kernel/index.ts';
import { AccountPushes } from './account-pushes.ts';
import { FEE_ROW, OUTSIDE_ROW } from './accounts.ts';
import type { Latency } from './calls.ts';
import { DEFAULT_SEED, permissionsSchema } from './config.ts';
import type { Worth } from './currencies.ts';
import { type SettingPath, SimulationError } from './errors.ts';
import { SimulatedMarketFeed } from './feeds.ts';
import {
  type CurrencySettings,
  FundsOffice,
  type FundsSettings,
  fundsSchema,
  type IncomingDeposit,
  type WithdrawalStep,
} from './funds/index.ts';
import type { Liquidity } from './liquidity.ts';
import type { MarginSettings } from './margin/index.ts';
import { SimulatedMarketData } from './market-data.ts';
import type { FeesIn } from './market-units.ts';
import type { FillModel, ModelledMarket } from './models/model.ts';
import { openFloor } from './open-floor.ts';
import {
  type AccountInspection,
  type AccountOptions,
  type Deposits,
  SimulatedAccount,
} from './simulated-account.ts';
import type { MinuteBar, SimulatedMarket } from './simulated-market.ts';
import type { TradingFloor } from './trading-floor.ts';

/** Trading fees, as fractions. */
export interface FeeOptions {
  readonly maker: number;
  readonly taker: number;
  /**
   * The currency that they are taken in. `received`: out of what a trade brings in. `quote`: a buy
   * pays its fee beside the value, which is frozen with it; a sell out of the value. `base`: a sell
   * pays its fee beside the amount, a buy out of the amount. Default: `received`.
   */
  readonly in?: FeesIn;
  /** What orders are charged beyond the rates; `in: quote` goes with it. Default: nothing. */
  readonly charges?: OrderCharges | undefined;
}

export interface SimulatedExchangeOptions {
  readonly clock: Clock;
  readonly markets: readonly Market[];
  readonly accounts: readonly AccountOptions[];
  /** What the coin of a market is worth, by its id, where that is known. Default: of none. */
  readonly worths?: ReadonlyMap<string, Worth>;
  /** What trading costs. Default: 0.002 each of what a trade brings in. */
  readonly fees?: FeeOptions;
  /** Leverage and interest of loans. Default: see the settings. */
  readonly margin?: Partial<MarginSettings>;
  /** How long reads do not find an order after it was taken, milliseconds. Default: 0. */
  readonly readLagMs?: number;
  /** Default: none; all answers are synchronous. */
  readonly latency?: Latency;
  /** Least milliseconds between two pushes of depth or ticker; 0 pushes every change. Default: 100. */
  readonly depthIntervalMs?: number;
  /** Whether its trades are kept as bars, for candles and tickers. Default: true. */
  readonly keepsBars?: boolean;
  /** What differs from what is usual of a currency; further currencies. Default: nothing. */
  readonly currencies?: Readonly<Record<string, CurrencySettings>>;
  /** How money goes in and out. Default: see the settings. */
  readonly funds?: Partial<FundsSettings>;
  /** Seed of addresses and hashes: the same seed gives the same. Default: `tradewind`. */
  readonly seed?: string | number;
  /** Hears of each trade in which an order met what rested: its id, and what it has traded so far. */
  readonly orderTook?: ((exchangeOrderId: string, filledAmount: Amount) => void) | undefined;
  /** Hears of each timed cancel that fires. Default: nobody does. */
  readonly timedCancelFired?: (fired: FiredTimedCancel) => void;
}

/** A timed cancel that took away what rested, if anything did. */
export interface FiredTimedCancel {
  readonly account: string;
  readonly market: string;
  /** How many orders it cancelled. */
  readonly orders: number;
}

/**
 * The exchange itself, in process: matching, balances, fees, timed cancels, market data and pushes.
 *
 * It enforces no rate limits and breaks no connection: those belong to the wire in front of it.
 */
export class SimulatedExchange implements ExchangeHost {
  readonly market: MarketDataPort;
  readonly marketFeed: MarketFeedPort;
  readonly #floor: TradingFloor;
  readonly #funds: FundsOffice;
  readonly #accounts = new Map<string, SimulatedAccount>();

  /** @throws {SimulationError} for markets, accounts or fees that cannot be held exactly. */
  constructor(options: SimulatedExchangeOptions) {
    const { accounts, currencies = {}, seed = DEFAULT_SEED } = options;
    const pushes = accounts.map(() => new AccountPushes());
    this.#floor = openFloor(options, pushes);
    const settings = fundsSchema.parse(options.funds ?? {});
    this.#funds = new FundsOffice(this.#floor, {
      ...{ accounts, currencies, settings },
      seed: String(seed),
    });
    this.market = new SimulatedMarketData(this.#floor);
    this.marketFeed = new SimulatedMarketFeed(this.#floor);
    for (const [number, account] of accounts.entries()) {
      this.#open(account, { number, pushes: pushes[number]! });
    }
    this.#floor.accounts.drainChanges(() => {});
  }

  account(name: string, { margin } = { margin: true }): FullExchange | undefined {
    const account = this.#accounts.get(name);
    return margin ? account?.exchange : account?.exchangeWithoutSwitches;
  }

  /** The inlet of anonymous liquidity. @throws {SimulationError} when there is no such market. */
  anonymous(market: string): Liquidity {
    return this.#market(market).liquidity;
  }

  /**
   * Says that nobody knows the book of a market any more, whose source is lost: nothing is there to
   * trade with, and it is told as empty, though orders of accounts rest in it.
   *
   * @throws {SimulationError} when there is no such market.
   */
  loseBook(id: string): void {
    const { records, liquidity } = this.#market(id);
    records.isKnown = false;
    liquidity.replace({ bids: [], asks: [] });
  }

  /** The book of a market as its source tells it. @throws {SimulationError} as `loseBook`. */
  tellBook(id: string, book: { bids: readonly Level[]; asks: readonly Level[] }): void {
    const { records, liquidity } = this.#market(id);
    records.isKnown = true;
    liquidity.replace(book);
  }

  /**
   * Lets a model decide what the orders of a market meet: it stands on that market, and hears of
   * every order that arrives there. @throws {SimulationError} when there is no such market.
   */
  fillBy<M extends Pick<FillModel<never>, 'arriving'>>(
    market: string,
    open: (market: ModelledMarket) => M,
  ): M {
    const simulated = this.#market(market);
    const model = open(simulated);
    simulated.model = model;
    return model;
  }

  /**
   * Gives a market a past, for candles and the 24-hour ticker: minutes in order of time.
   *
   * @throws {SimulationError} when there is no such market or a minute is out of place.
   */
  seedHistory(market: string, minutes: readonly MinuteBar[]): void {
    this.#market(market).seedHistory(minutes);
  }

  /**
   * Takes a market off the list, as when its coin is given up. All orders there are cancelled, which is
   * pushed; whatever is asked of it from then on is answered by 'Error Market'.
   *
   * @throws {SimulationError} when there is no such market.
   */
  delist(id: string): void {
    const market = this.#market(id);
    for (const account of this.#accounts.values()) account.desk.cancelAll(market);
    // Ahead of the pushes: who hears of them may order anew.
    market.isListed = false;
    this.#floor.publisher.publish();
  }

  /**
   * Lets a deposit come in: its id. It waits for its confirmations, then it is in the spot wallet.
   *
   * @throws {SimulationError} when it cannot come that way.
   */
  creditDeposit(name: string, deposit: IncomingDeposit): string {
    return this.#funds.creditDeposit(this.#account(name).number, deposit);
  }

  /** Lets a deposit fail that waits. @throws {SimulationError} when there is none such. */
  failDeposit(name: string, id: string): void {
    this.#funds.failDeposit(this.#account(name).number, id);
  }

  /**
   * Takes a withdrawal a step on ahead of its time: confirms it, or lets it end.
   *
   * @throws {SimulationError} when there is none such that can take that step.
   */
  stepWithdrawal(name: string, step: { id: string; status: WithdrawalStep }): void {
    this.#funds.stepWithdrawal(this.#account(name).number, step);
  }

  /** Everything there is to know of an account. @throws {SimulationError} when there is none such. */
  inspect(name: string): AccountInspection {
    return this.#account(name).inspect();
  }

  /**
   * All money of a currency: of all wallets, free and frozen, loans included, and the fees; less what
   * the rest of the world and the borrowers owe; and what withdrawals have taken out less what
   * deposits have brought in. It is what the accounts were opened with, and never changes.
   */
  totalOf(currency: string): Decimal {
    const { accounts } = this.#floor;
    const { currencies } = accounts;
    return currencies.money(currency, accounts.total(currencies.indexOf(currency)));
  }

  /**
   * Decimal places that a currency is counted in: what costs less than a unit costs one.
   *
   * @throws {SimulationError} for a currency that the exchange does not have.
   */
  scaleOf(currency: string): number {
    return this.#floor.accounts.currencies.scaleOf(currency);
  }

  /** What withdrawals have taken out of the exchange, less what deposits have brought in. */
  outsideOf(currency: string): Decimal {
    return this.#moneyOf(OUTSIDE_ROW, currency);
  }

  /** All fees taken so far in a currency. */
  feesOf(currency: string): Decimal {
    return this.#moneyOf(FEE_ROW, currency);
  }

  #moneyOf(row: number, currency: string): Decimal {
    const { accounts } = this.#floor;
    const { currencies } = accounts;
    return currencies.money(currency, accounts.exactly(row, currencies.indexOf(currency)));
  }

  #open(options: AccountOptions, parts: { number: number; pushes: AccountPushes }): void {
    const { number } = parts;
    const { name, balances, marginBalances } = options;
    if (this.#accounts.has(name)) {
      throw new SimulationError(`Cannot open the account ${name}: there is one already`);
    }
    const path = ['accounts', number];
    this.#deposit({ account: number, accountType: 0 }, balances, [...path, 'balances']);
    for (const [at, kind] of (['isolated', 'cross'] as const).entries()) {
      const deposits = marginBalances?.[kind] ?? {};
      const margin = { account: number, accountType: at + 1 };
      this.#deposit(margin, deposits, [...path, 'marginBalances', kind]);
    }
    const permissions = permissionsSchema.parse(options.permissions);
    const { market, marketFeed } = this;
    const funds = this.#funds;
    const account = { ...parts, permissions, market, marketFeed, funds };
    this.#accounts.set(name, new SimulatedAccount(this.#floor, account));
  }

  #deposit(
    { account, accountType }: { account: number; accountType: number },
    deposits: Deposits,
    path: SettingPath,
  ): void {
    const { accounts, bills } = this.#floor;
    const row = accounts.rowOf(account, accountType);
    const { currencies } = accounts;
    for (const [name, text] of Object.entries(deposits)) {
      const at = [...path, name];
      const units = currencies.units(name, text, at);
      const currency = currencies.indexOf(name);
      accounts.receive(accounts.cell(row, currency), units);
      if (accountType === 0) {
        bills.record(account, { currency, units, type: 'opening balance', remark: '' });
      }
      if (Number.isSafeInteger(accounts.total(currency))) continue;
      throw new SimulationError(
        `Cannot deposit ${text} ${name}: all accounts together would hold more than 2^53 units`,
        { path: at },
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
