import type { Balance } from '../domain/index.ts';
import type { BalancePush, OrderPush } from '../exchange/index.ts';
import { type Clock, FewMap, FewSet, type Topic } from '../kernel/index.ts';
import type { AccountOrder } from './account-order.ts';
import { type AccountPushes, balanceOf } from './account-pushes.ts';
import type { Accounts } from './accounts.ts';
import type { MarketUnits } from './market-units.ts';
import type { SimulatedMarket } from './simulated-market.ts';

export interface PublisherOptions {
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly pushes: readonly AccountPushes[];
  /** How long a push is under way: added to its time of receipt. */
  readonly pushMs: number;
}

/** A push on its way to one account. */
interface Queued<T> {
  readonly pushes: AccountPushes;
  readonly topic: Topic<T>;
  readonly push: T;
}

/** Balances of an account that have changed. */
interface QueuedBalances extends Queued<BalancePush> {
  readonly push: BalancePush & { readonly balances: Balance[] };
  /** Whether they were pushed together with an order. */
  isTold: boolean;
}

/**
 * Pushes what an operation has changed once it is complete: orders and balances, together or the
 * orders first; then market data. A subscriber may act at once; what its action changes is pushed
 * afterwards.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  #orders: Queued<OrderPush>[] = [];
  #markets = new FewSet<SimulatedMarket>();
  /** A second set: the two take turns, so that operations need not make one each. */
  #publishedMarkets = new FewSet<SimulatedMarket>();
  readonly #balances = new FewMap<Topic<BalancePush>, QueuedBalances>();
  #publishing = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Takes note of an order as it stands now. */
  orderChanged(order: AccountOrder, units: MarketUnits): void {
    const pushes = this.#options.pushes[order.account]!;
    const topic = pushes.orders(units.market.id);
    if (!topic.observed && !pushes.changes.observed) return;
    const exchangeTime = this.#options.clock.now();
    const receivedTime = exchangeTime + this.#options.pushMs;
    const push = { order: order.record(units), exchangeTime, receivedTime };
    this.#orders.push({ pushes, topic, push });
  }

  /** Takes note of a market that may have changed. */
  marketChanged(market: SimulatedMarket): void {
    this.#markets.add(market);
  }

  /** Pushes what changed, and what subscribers change in reply. */
  publish(): void {
    if (this.#publishing) return;
    this.#publishing = true;
    try {
      const { accounts } = this.#options;
      while (this.#orders.length > 0 || this.#markets.size > 0 || accounts.hasChanged) {
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
    const balances = this.#changedBalances();
    pushTogether(orders, balances);
    for (const { topic, push } of orders) topic.next(push);
    for (const { topic, push } of balances) topic.next(push);
    for (const market of markets.values()) market.publish();
  }

  #changedBalances(): readonly QueuedBalances[] {
    this.#options.accounts.drainChanges(this.#noteBalance);
    if (this.#balances.size === 0) return NOTHING;
    const changed = this.#balances.values();
    this.#balances.clear();
    return changed;
  }

  /** Takes note of a balance as it stands now, if anybody is told of it. */
  readonly #noteBalance = (row: number, currency: number): void => {
    const { accounts, clock, pushMs, pushes: all } = this.#options;
    const wallet = accounts.walletOf(row);
    if (wallet === undefined) return;
    const pushes = all[wallet.account]!;
    const topic = balancesOf(pushes, wallet.accountType);
    if (topic === undefined || !isHeard(pushes, topic)) return;
    const noted = this.#balances.get(topic);
    const balance = balanceOf(accounts, { row, currency });
    if (noted !== undefined) {
      noted.push.balances.push(balance);
      return;
    }
    const exchangeTime = clock.now();
    const push = { balances: [balance], exchangeTime, receivedTime: exchangeTime + pushMs };
    this.#balances.set(topic, { pushes, topic, push, isTold: false });
  };
}

const NOTHING: readonly QueuedBalances[] = [];

/** The topic of a wallet's balances; those of the isolated wallet are not pushed. */
function balancesOf(
  { balances, crossBalances }: AccountPushes,
  accountType: number,
): Topic<BalancePush> | undefined {
  if (accountType === 0) return balances;
  return accountType === 2 ? crossBalances : undefined;
}

function isHeard({ balances, changes }: AccountPushes, topic: Topic<BalancePush>): boolean {
  return topic.observed || (topic === balances && changes.observed);
}

/**
 * Pushes to each account that subscribed to `changes` its balances together with the first of its
 * orders that moved money, and its other orders one by one before and after that: so whoever acts
 * on a fill knows what it brought in.
 */
function pushTogether(
  orders: readonly Queued<OrderPush>[],
  balances: readonly QueuedBalances[],
): void {
  for (const { pushes, push } of orders) {
    if (!pushes.changes.observed) continue;
    const movesMoney = push.order.filledAmount > 0 || push.order.closed;
    const moved = movesMoney ? untold(balances, pushes) : undefined;
    pushes.changes.next(moved === undefined ? { order: push } : { order: push, balances: moved });
  }
  for (const { pushes } of balances) {
    const push = pushes.changes.observed ? untold(balances, pushes) : undefined;
    if (push !== undefined) pushes.changes.next({ balances: push });
  }
}

/** The changed balances of an account's spot wallet, unless told; then they count as told. */
function untold(
  balances: readonly QueuedBalances[],
  pushes: AccountPushes,
): BalancePush | undefined {
  for (const queued of balances) {
    if (queued.topic !== pushes.balances || queued.isTold) continue;
    queued.isTold = true;
    return queued.push;
  }
  return undefined;
}
