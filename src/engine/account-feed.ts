import { BehaviorSubject, EMPTY, filter, interval, Subscription, switchMap } from 'rxjs';
import { isFinal, type TradingEvent } from '../domain/index.ts';
import type { AccountFeedPort, AccountPush, BalancePush, OrderPush } from '../exchange/index.ts';
import { type Bus, type Clock, MINUTE_MS } from '../kernel/index.ts';
import type { BalanceLedger, OrderLedger } from '../ledger/index.ts';

/** How often the account is read while the push connection is down and orders are live. */
const PUSHLESS_RECONCILE_MS = 5_000;
/**
 * How long these reads go on after the last order ended: reads lag, and a lost connection is
 * noticed late.
 */
const READ_BEHIND_MS = MINUTE_MS;

export interface AccountFeedOptions {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly feed: AccountFeedPort;
  readonly markets: readonly string[];
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  /** Called when pushes were missed, or may have been: the account must be read. */
  readonly reconcile: (reason: string) => void;
}

/** Puts the account's pushes on the bus and folds them from there into the ledgers. */
export function followAccount(options: AccountFeedOptions): Subscription {
  const { bus, feed, markets, orders, balances } = options;
  const all = new Subscription();
  all.add(bus.on('orderPush').subscribe((event) => orders.record(event.order, 'push')));
  all.add(bus.on('balancePush').subscribe((event) => balances.update(event.balances, 'push')));
  all.add(followConnection(options));
  if (feed.changes !== undefined) {
    const known = new Set(markets);
    all.add(feed.changes().subscribe((push) => bus.publishAll(eventsOf(push, known))));
    return all;
  }
  for (const market of markets) {
    const pushes = feed.orders(market);
    all.add(pushes.subscribe((push) => bus.publish(orderEvent(market, push))));
  }
  all.add(feed.balances().subscribe((push) => bus.publish(balanceEvent(push))));
  return all;
}

/**
 * The events of one push. They are published together, so both are in the ledgers before anyone
 * reacts.
 */
function eventsOf({ order, balances }: AccountPush, markets: ReadonlySet<string>): TradingEvent[] {
  const events: TradingEvent[] = [];
  const market = order?.order.market;
  if (order !== undefined && markets.has(market!)) {
    events.push(orderEvent(market!, order));
  }
  if (balances !== undefined) events.push(balanceEvent(balances));
  return events;
}

function orderEvent(
  market: string,
  { order, exchangeTime, receivedTime }: OrderPush,
): TradingEvent {
  return { kind: 'orderPush', market, order, exchangeTime, receivedTime };
}

function balanceEvent({ balances, exchangeTime, receivedTime }: BalancePush): TradingEvent {
  return { kind: 'balancePush', balances, exchangeTime, receivedTime };
}

/**
 * Follows the push connection. One that is up at once misses nothing, as the account is read after
 * this; one that comes up later may have missed pushes.
 */
function followConnection(options: AccountFeedOptions): Subscription {
  const { bus, clock, feed, orders, reconcile } = options;
  const stands = new BehaviorSubject(false);
  let wasConnected = false;
  let isFollowed = false;
  const all = new Subscription();
  all.add(
    feed.connection().subscribe(({ connected, reason }) => {
      if (connected === stands.value) return;
      stands.next(connected);
      bus.publish({ kind: 'connection', time: clock.now(), channel: 'pushes', connected, reason });
      if (!connected) return;
      if (isFollowed) reconcile(wasConnected ? 'the pushes were interrupted' : 'the pushes began');
      wasConnected = true;
    }),
  );
  isFollowed = true;
  // A lookup of an order tells its fills but not the balances, so reads go on after the last
  // order's end.
  let endedMs = Number.NEGATIVE_INFINITY;
  const ends = bus.on('order').pipe(filter(({ order }) => isFinal(order)));
  all.add(ends.subscribe(({ time }) => (endedMs = time)));
  const pushless = stands.pipe(
    switchMap((connected) => (connected ? EMPTY : interval(PUSHLESS_RECONCILE_MS, clock))),
    filter(() => orders.liveCount > 0 || clock.now() - endedMs < READ_BEHIND_MS),
  );
  all.add(pushless.subscribe(() => reconcile('the pushes are down')));
  return all;
}
