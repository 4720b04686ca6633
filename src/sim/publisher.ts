import type { Subject } from 'rxjs';
import type { Balance } from '../domain/index.ts';
import type { BalancePush, OrderPush } from '../exchange/index.ts';
import type { Clock } from '../kernel/index.ts';
import { type AccountOrder, recordOf } from './account-order.ts';
import { type AccountPushes, balanceOf } from './account-pushes.ts';
import type { Accounts } from './accounts.ts';
import type { MarketUnits } from './market-units.ts';
import type { SimulatedMarket } from './simulated-market.ts';

export interface PublisherOptions {
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** The pushes of each account. */
  readonly pushes: readonly AccountPushes[];
  /** How long a push is under way: added to its time of receipt. */
  readonly pushMs: number;
}

interface QueuedPush {
  readonly subject: Subject<OrderPush>;
  readonly push: OrderPush;
}

/**
 * Pushes what operations have changed, once they are complete: orders, then balances, then market
 * data. A subscriber may act at once; what its action changes is pushed behind.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  #orders: QueuedPush[] = [];
  #markets = new Set<SimulatedMarket>();
  /** The set before that one: the two take turns, so that none is made for each operation. */
  #publishedMarkets = new Set<SimulatedMarket>();
  readonly #balances = new Map<Subject<BalancePush>, Balance[]>();
  #moneyMoved = false;
  #publishing = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Takes note of an order as it stands now. */
  orderChanged(order: AccountOrder, units: MarketUnits): void {
    const subject = this.#options.pushes[order.account]!.orders(units.market.id);
    if (!subject.observed) return;
    const exchangeTime = this.#options.clock.now();
    const receivedTime = exchangeTime + this.#options.pushMs;
    this.#orders.push({
      subject,
      push: { order: recordOf(order, units), exchangeTime, receivedTime },
    });
  }

  /** Takes note of a market that may have changed. */
  marketChanged(market: SimulatedMarket): void {
    this.#markets.add(market);
  }

  /** Takes note that balances have changed without an order. */
  moneyMoved(): void {
    this.#moneyMoved = true;
  }

  /** Pushes all that was noted, and what comes of that. */
  publish(): void {
    if (this.#publishing) return;
    this.#publishing = true;
    try {
      while (this.#orders.length > 0 || this.#markets.size > 0 || this.#moneyMoved) {
        this.#publishNoted();
      }
    } finally {
      this.#publishing = false;
    }
  }

  #publishNoted(): void {
    const orders = this.#orders;
    const markets = this.#markets;
    if (orders.length > 0) this.#orders = [];
    this.#markets = this.#publishedMarkets;
    this.#markets.clear();
    this.#publishedMarkets = markets;
    this.#moneyMoved = false;
    for (const { subject, push } of orders) subject.next(push);
    if (this.#options.accounts.hasChanged) this.#publishBalances();
    for (const market of markets) market.publish();
  }

  #publishBalances(): void {
    const { accounts, clock, pushMs } = this.#options;
    accounts.drainChanges(this.#noteBalance);
    if (this.#balances.size === 0) return;
    const balances = [...this.#balances];
    this.#balances.clear();
    const exchangeTime = clock.now();
    for (const [subject, changed] of balances) {
      subject.next({ balances: changed, exchangeTime, receivedTime: exchangeTime + pushMs });
    }
  }

  /** Takes note of a balance as it stands now, if anybody is told of it. */
  readonly #noteBalance = (row: number, currency: number): void => {
    const subject = this.#balancesOf(row);
    if (subject?.observed !== true) return;
    const changed = this.#balances.get(subject);
    const balance = balanceOf(this.#options.accounts, { row, currency });
    if (changed === undefined) this.#balances.set(subject, [balance]);
    else changed.push(balance);
  };

  /** The pushes of a wallet; nothing is pushed of the isolated one. */
  #balancesOf(row: number): Subject<BalancePush> | undefined {
    const wallet = this.#options.accounts.walletOf(row);
    if (wallet === undefined) return undefined;
    const { balances, crossBalances } = this.#options.pushes[wallet.account]!;
    if (wallet.accountType === 0) return balances;
    return wallet.accountType === 2 ? crossBalances : undefined;
  }
}
