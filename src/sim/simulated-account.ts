import type { Observable } from 'rxjs';
import type { Balance, OrderRecord } from '../domain/index.ts';
import {
  type AccountInfo,
  type AccountPort,
  CONTRACT_LIMITS,
  type FullExchange,
  type MarketDataPort,
  type MarketFeedPort,
  type Permissions,
} from '../exchange/index.ts';
import type { Decimal } from '../kernel/index.ts';
import { type AccountPushes, balanceOf } from './account-pushes.ts';
import { SimulatedAccountFeed } from './feeds.ts';
import type { AccountFundsOptions, FundsOffice } from './funds/index.ts';
import { SimulatedMargin } from './margin/index.ts';
import { OrderLists } from './order-lists.ts';
import { notPermitted } from './refusals.ts';
import { TradingDesk } from './trading-desk.ts';
import type { TradingFloor } from './trading-floor.ts';

/** Amounts of money by currency, as texts: `{ usdt: '10000' }`. */
export type Deposits = Readonly<Record<string, string>>;

/** An account to open. */
export interface AccountOptions extends AccountFundsOptions {
  /** What the spot wallet starts with. */
  readonly balances: Deposits;
  /** What the margin wallets start with. Default: nothing. */
  readonly marginBalances?: { readonly isolated?: Deposits; readonly cross?: Deposits } | undefined;
  /** Default: all but withdrawals. */
  readonly permissions?: Partial<Permissions>;
}

/** Everything there is to know of an account: for checking invariants. */
export interface AccountInspection {
  /** Open orders by market, oldest first; markets without any are left out. */
  readonly openOrders: ReadonlyMap<string, readonly OrderRecord[]>;
  /** The spot wallet. */
  readonly balances: readonly Balance[];
  /** Fees paid so far, by currency, over all wallets. */
  readonly feesPaid: ReadonlyMap<string, Decimal>;
  readonly timedCancelsFired: number;
  /** When the armed timed cancels fire, by market, milliseconds since the epoch. */
  readonly timedCancelsDue: ReadonlyMap<string, number>;
}

/** One account of the simulated exchange. */
export class SimulatedAccount implements AccountPort {
  readonly exchange: FullExchange;
  /** The same for a key that may not use margin: its orders ignore the switches of the account. */
  readonly exchangeWithoutSwitches: FullExchange;
  /** Its number among the accounts. */
  readonly number: number;
  readonly permissions: Permissions;
  readonly desk: TradingDesk;
  readonly #floor: TradingFloor;
  readonly #funds: FundsOffice;

  constructor(
    floor: TradingFloor,
    parts: {
      readonly number: number;
      readonly permissions: Permissions;
      readonly pushes: AccountPushes;
      readonly market: MarketDataPort;
      readonly marketFeed: MarketFeedPort;
      readonly funds: FundsOffice;
    },
  ) {
    const { number: account, market, marketFeed, permissions } = parts;
    this.permissions = permissions;
    this.#floor = floor;
    this.number = account;
    this.#funds = parts.funds;
    this.desk = new TradingDesk(floor, { account, permissions });
    this.exchange = {
      market,
      marketFeed,
      trading: this.desk,
      account: this,
      accountFeed: new SimulatedAccountFeed(floor, { pushes: parts.pushes, permissions }),
      limits: CONTRACT_LIMITS,
      funds: parts.funds.desk(account, permissions),
      orderLists: new OrderLists(floor, { account, permissions }),
      margin: new SimulatedMargin(floor, { account, permissions }),
    };
    this.exchangeWithoutSwitches = { ...this.exchange, trading: this.desk.withoutSwitches() };
  }

  account(): Observable<AccountInfo> {
    return this.#floor.calls.call(() => {
      if (!this.permissions.assets) throw notPermitted('read the account');
      const currencies = this.#funds.currencies;
      return { balances: this.#balances(), permissions: this.permissions, currencies };
    });
  }

  inspect(): AccountInspection {
    const openOrders = new Map<string, OrderRecord[]>();
    for (const [id, { engine }] of this.#floor.markets) {
      const open = engine.orders.open(this.number);
      if (open.length === 0) continue;
      openOrders.set(
        id,
        open.map((order) => order.record(engine.units)),
      );
    }
    return {
      openOrders,
      balances: this.#balances(),
      feesPaid: this.#feesPaid(),
      timedCancelsFired: this.desk.timedCancels.fired,
      timedCancelsDue: this.desk.timedCancels.due,
    };
  }

  /** The spot wallet, every currency of the exchange. */
  #balances(): Balance[] {
    const { accounts } = this.#floor;
    const row = accounts.rowOf(this.number, 0);
    return accounts.currencies.names.map((_, currency) => balanceOf(accounts, { row, currency }));
  }

  #feesPaid(): Map<string, Decimal> {
    const { accounts } = this.#floor;
    return new Map(
      accounts.currencies.names.map((name, currency) => [
        name,
        accounts.currencies.money(name, accounts.feesPaidBy(this.number, currency)),
      ]),
    );
  }
}
