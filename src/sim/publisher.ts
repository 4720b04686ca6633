import type { Subject } from 'rxjs';
import type { Balance } from '../domain/index.ts';
import type { OrderPush } from '../exchange/index.ts';
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

  /** Pushes all that was noted, and what comes of that. */
  publish(): void {
    if (this.#publishing) return;
    this.#publishing = true;
    try {
      while (this.#orders.length > 0 || this.#markets.size > 0) this.#publishNoted();
    } finally {
      this.#publishing = false;
    }
  }

  #publishNoted(): void {
    const orders = this.#orders;
    const markets = this.#markets;
    this.#orders = [];
    this.#markets = new Set();
    for (const { subject, push } of orders) subject.next(push);
    this.#publishBalances();
    for (const market of markets) market.publish();
  }

  #publishBalances(): void {
    const { accounts, pushes, clock, pushMs } = this.#options;
    const changed = new Map<number, Balance[]>();
    for (const [row, currency] of accounts.drainChanges()) {
      const account = accounts.spotAccountOf(row);
      if (account === undefined || !pushes[account]!.balances.observed) continue;
      const balances = changed.get(account) ?? [];
      balances.push(balanceOf(accounts, { row, currency }));
      changed.set(account, balances);
    }
    const exchangeTime = clock.now();
    for (const [account, balances] of changed) {
      const receivedTime = exchangeTime + pushMs;
      pushes[account]!.balances.next({ balances, exchangeTime, receivedTime });
    }
  }
}
