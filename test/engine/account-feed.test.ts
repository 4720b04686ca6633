import { concat, NEVER, type Observable, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { OrderRecord, TradingEvent } from '../../src/domain/index.ts';
import { followAccount } from '../../src/engine/account-feed.ts';
import type { AccountPush, BalancePush, Connection, OrderPush } from '../../src/exchange/index.ts';
import { Bus, Decimal, VirtualClock } from '../../src/kernel/index.ts';
import type { BalanceLedger, OrderLedger } from '../../src/ledger/index.ts';
import { makeOpen } from '../domain/fixture.ts';

function followed(first?: Connection, together?: Observable<AccountPush>) {
  const bus = new Bus<TradingEvent>();
  const connections = new Subject<Connection>();
  const orders = new Subject<OrderPush>();
  const balances = new Subject<BalancePush>();
  const folded: string[] = [];
  const published: string[] = [];
  const reconciled: string[] = [];
  const clock = new VirtualClock();
  const book = { live: 0 };
  bus.record(({ kind }) => published.push(kind));
  const subscription = followAccount({
    bus,
    clock,
    feed: {
      connection: () => (first === undefined ? connections : concat(of(first), connections)),
      orders: (market) => (market === 'btc_usdt' ? orders : NEVER),
      balances: () => balances,
      ...(together && { changes: () => together }),
    },
    markets: ['btc_usdt', 'eth_usdt'],
    orders: {
      record: (_order, by) => void folded.push(`order by ${by}`),
      get liveCount() {
        return book.live;
      },
    } as OrderLedger,
    balances: { update: (_list, by) => void folded.push(`balance by ${by}`) } as BalanceLedger,
    reconcile: (reason) => reconciled.push(reason),
  });
  const connect = (connected: boolean) => connections.next({ connected, reason: 'so' });
  const stamps = { exchangeTime: 0, receivedTime: 0 };
  return {
    ...{ subscription, folded, published, connect, orders, connections, clock, book, reconciled },
    bus,
    pushOrder: () => orders.next({ order: {} as OrderRecord, ...stamps }),
    pushBalance: () => {
      const balance = { currency: 'btc', available: Decimal.ZERO, frozen: Decimal.ZERO };
      balances.next({ balances: [balance], ...stamps });
    },
  };
}

describe('followAccount', () => {
  it('publishes pushes, then folds them into the ledgers', () => {
    const { pushOrder, pushBalance, folded, published } = followed();
    pushOrder();
    pushBalance();
    expect(published).toEqual(['orderPush', 'balancePush']);
    expect(folded).toEqual(['order by push', 'balance by push']);
  });

  it('has the account read whenever the pushes stand later than at once', () => {
    const { connect, reconciled } = followed();
    connect(false);
    expect(reconciled).toHaveLength(0);
    connect(true);
    expect(reconciled).toHaveLength(1);
    connect(false);
    connect(true);
    connect(false);
    connect(true);
    const again = 'the pushes were interrupted';
    expect(reconciled).toEqual(['the pushes began', again, again]);
  });

  it('has nothing read where they stand at once: the start reads after that', () => {
    const { reconciled, clock, book } = followed({ connected: true, reason: 'in process' });
    book.live = 1;
    clock.advanceBy(60_000);
    expect(reconciled).toEqual([]);
  });

  it('has it read as after any interruption where they stood at once and broke off', () => {
    const { reconciled, connect } = followed({ connected: true, reason: 'in process' });
    connect(false);
    connect(true);
    expect(reconciled).toEqual(['the pushes were interrupted']);
  });

  it('tells each change of the connection once', () => {
    const { connect, published } = followed();
    for (const connected of [true, true, false, false, true]) connect(connected);
    expect(published).toEqual(['connection', 'connection', 'connection']);
  });

  it('lets go of all when unsubscribed', () => {
    const { subscription, orders, connections, pushBalance, folded } = followed();
    subscription.unsubscribe();
    pushBalance();
    expect(orders.observed || connections.observed).toBe(false);
    expect(folded).toEqual([]);
  });
});

describe('followAccount, while nothing is pushed,', () => {
  it('has the account read every 5 seconds while orders live', () => {
    const { connect, reconciled, clock, book } = followed();
    clock.advanceBy(10_000);
    expect(reconciled).toEqual([]);
    book.live = 1;
    clock.advanceBy(10_000);
    expect(reconciled).toEqual(['the pushes are down', 'the pushes are down']);
    connect(true);
    clock.advanceBy(60_000);
    expect(reconciled).toHaveLength(3);
  });

  it('has it read for a minute behind the end of an order, which balances may tell of late', () => {
    const { connect, reconciled, bus, clock } = followed({ connected: true, reason: 'so' });
    const open = makeOpen();
    for (const order of [open, { ...open, status: 'filled' } as const]) {
      bus.publish({ kind: 'order', time: clock.now(), market: order.market, order });
    }
    clock.advanceBy(49_000);
    connect(false);
    clock.advanceBy(60_000);
    expect(reconciled).toEqual(['the pushes are down', 'the pushes are down']);
  });
});

describe('followAccount, where changes come together', () => {
  it('folds them before anybody hears what they come to, and listens to nothing else', () => {
    const together = new Subject<AccountPush>();
    const { folded, published, bus, orders } = followed(undefined, together);
    bus.on('orderPush').subscribe(({ order }) => {
      bus.publish({ kind: 'run', time: 0, status: 'running', reason: order.market });
    });
    bus.on('run').subscribe(({ reason }) => folded.push(reason));
    const stamps = { exchangeTime: 0, receivedTime: 0 };
    const push = (market: string) =>
      together.next({
        order: { order: { market } as OrderRecord, ...stamps },
        balances: { balances: [], ...stamps },
      });
    push('btc_usdt');
    expect(folded).toEqual(['order by push', 'balance by push', 'btc_usdt']);
    push('doge_usdt');
    expect(published).toEqual(['orderPush', 'balancePush', 'run', 'balancePush']);
    expect(orders.observed).toBe(false);
  });
});
