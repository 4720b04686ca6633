import { Subscription } from 'rxjs';
import type { TradingEvent } from '../domain/index.ts';
import type { AccountFeedPort } from '../exchange/index.ts';
import type { Bus, Clock } from '../kernel/index.ts';
import type { BalanceLedger, OrderLedger } from '../ledger/index.ts';

export interface AccountFeedOptions {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly feed: AccountFeedPort;
  readonly markets: readonly string[];
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  /** The pushes were interrupted and are back: what was missed must be read. */
  readonly onReconnect: () => void;
}

/** Puts the account's pushes on the bus and folds them from there into the ledgers. */
export function followAccount(options: AccountFeedOptions): Subscription {
  const { bus, feed, markets, orders, balances } = options;
  const all = new Subscription();
  all.add(bus.on('orderPush').subscribe((event) => orders.record(event.order, 'push')));
  all.add(bus.on('balancePush').subscribe((event) => balances.update(event.balances, 'push')));
  all.add(followConnection(options));
  for (const market of markets) {
    const pushes = feed.orders(market);
    all.add(pushes.subscribe((push) => bus.publish({ kind: 'orderPush', market, ...push })));
  }
  all.add(feed.balances().subscribe((push) => bus.publish({ kind: 'balancePush', ...push })));
  return all;
}

function followConnection({ bus, clock, feed, onReconnect }: AccountFeedOptions): Subscription {
  let wasConnected = false;
  let wasLost = false;
  return feed
    .connection()

    .subscribe(({ connected, reason }) => {
      if (connected === wasConnected) return;
      bus.publish({ kind: 'connection', time: clock.now(), channel: 'pushes', connected, reason });
      if (connected && wasLost) onReconnect();
      wasLost ||= !connected && wasConnected;
      wasConnected = connected;
    });
}
