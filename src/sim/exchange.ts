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
   * freezes and pays its fee on top of the value, a sell pays out of the value. `base`: a sell pays
   * its fee on top of the amount, a buy out of the amount. Default: `received`.
   */
  readonly in?: FeesIn;
  /** What orders are charged beyond the rates; requires `in: quote`. Default: nothing. */
  readonly charges?: OrderCharges | undefined;
}

export interface SimulatedExchangeOptions {
  readonly clock: Clock;
  readonly markets: readonly Market[];
  readonly accounts: readonly AccountOptions[];
  /** What the coins of markets are worth, by market id, where known. Default: none is known. */
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
  /** Whether trades are kept as bars, for candles and tickers. Default: true. */
  readonly keepsBars?: boolean;
  /** Settings of currencies that differ from the usual ones; further currencies. Default: none. */
  readonly currencies?: Readonly<Record<string, CurrencySettings>>;
  /** How money goes in and out. Default: see the settings. */
  readonly funds?: Partial<FundsSettings>;
  /** Seed of addresses and hashes: the same seed gives the same ones. Default: `tradewind`. */
  readonly seed?: string | number;
  /** Called for each trade of a taker with the id of the order and its filled amount so far. */
  readonly orderTook?: ((exchangeOrderId: string, filledAmount: Amount) => void) | undefined;
  /** Called for each timed cancel that fires. */
  readonly timedCancelFired?: (fired: FiredTimedCancel) => void;
}

/** A timed cancel that fired: it cancelled the resting orders, if there were any. */
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
   * Makes the book of a market unknown, as its source is lost: there is nothing to trade with, and
   * the book is shown as empty, though orders of accounts rest in it.
   *
   * @throws {SimulationError} when there is no such market.
   */
  loseBook(id: string): void {
    const { records, liquidity } = this.#market(id);
    records.isKnown = false;
    liquidity.replace({ bids: [], asks: [] });
  }

  /** Sets the book of a market as its source tells it. @throws {SimulationError} as `loseBook`. */
  tellBook(id: string, book: { bids: readonly Level[]; asks: readonly Level[] }): void {
    const { records, liquidity } = this.#market(id);
    records.isKnown = true;
    liquidity.replace(book);
  }

  /**
   * Lets a model decide what the orders of a market meet: `open` makes it for that market, and it
   * hears of every order that arrives there.
   *
   * @throws {SimulationError} when there is no such market.
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
   * Delists a market, as exchanges do with a coin that they give up. All orders there are
   * cancelled, which is pushed; from then on all requests for it are answered by 'Error Market'.
   *
   * @throws {SimulationError} when there is no such market.
   */
  delist(id: string): void {
    const market = this.#market(id);
    for (const account of this.#accounts.values()) account.desk.cancelAll(market);
    // Before the pushes: whoever hears of them may order anew.
    market.isListed = false;
    this.#floor.publisher.publish();
  }

  /**
   * Lets a deposit come in: it waits for its confirmations, then it is in the spot wallet. Returns
   * its id.
   *
   * @throws {SimulationError} when it cannot come that way.
   */
  creditDeposit(name: string, deposit: IncomingDeposit): string {
    return this.#funds.creditDeposit(this.#account(name).number, deposit);
  }

  /** Lets a waiting deposit fail. @throws {SimulationError} when no such deposit waits. */
  failDeposit(name: string, id: string): void {
    this.#funds.failDeposit(this.#account(name).number, id);
  }

  /**
   * Advances a withdrawal ahead of its time: confirms it, or lets it end.
   *
   * @throws {SimulationError} when there is no such withdrawal, or it cannot take that step.
   */
  stepWithdrawal(name: string, step: { id: string; status: WithdrawalStep }): void {
    this.#funds.stepWithdrawal(this.#account(name).number, step);
  }

  /** Everything there is to know of an account. @throws {SimulationError} when there is none such. */
  inspect(name: string): AccountInspection {
    return this.#account(name).inspect();
  }

  /**
   * All money of a currency: what the accounts were opened with, which never changes.
   *
   * It is the sum of all wallets, free and frozen, loans included, and of the fees; less what the
   * rest of the world and the borrowers owe; plus what withdrawals have taken out, less what
   * deposits have brought in.
   */
  totalOf(currency: string): Decimal {
    const { accounts } = this.#floor;
    const { currencies } = accounts;
    return currencies.money(currency, accounts.total(currencies.indexOf(currency)));
  }

  /**
   * Decimal places that a currency is counted in: a fee below one unit costs one unit.
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
