import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../../../src/exchange/index.ts';
import { HOUR_MS } from '../../../../../src/kernel/index.ts';
import { NOW_MS, ORDER, zbFixture } from '../fixture.ts';

const ORDERS = { channel: 'push_user_incr_record', market: 'btcusdtdefault' };
const BALANCES = { channel: 'push_user_incr_asset' };
const RESTING = ['20220223', 30_000, 0.001, 0, 0, 1, NOW_MS, 0, 0, 0, 0, 0, 0];
/** An order that was cancelled before any fill. */
const CANCELLED = RESTING.with(7, 1);

/** An account feed over an open connection that answers pings. */
function accountFixture() {
  const { exchange, clock, sockets, http, logger, setForth } = zbFixture();
  const states: Connection[] = [];
  exchange.accountFeed.connection().subscribe((state) => states.push(state));
  const orders = exchange.accountFeed.orders('btc_usdt').subscribe();
  const balances = exchange.accountFeed.balances().subscribe();
  sockets.last.events.opened();
  http.answers['/api/order'] = '{"code":1000,"message":"done","id":"20220223"}';
  http.answers['/api/cancelOrder'] = '{"code":1000,"message":"done"}';
  return {
    ...{ exchange, clock, sockets, http, logger, setForth, states, orders, balances },
    place: () => exchange.trading.place(ORDER).subscribe(),
    placeBatch: () => {
      const { market, side, price, amount } = ORDER;
      exchange.trading.placeBatch({ market, side, orders: [{ price, amount }] }).subscribe();
    },
    cancel: () =>
      exchange.trading.cancel({ market: 'btc_usdt', exchangeOrderId: '20220223' }).subscribe(),
    pushOrder: (record: readonly unknown[]) =>
      sockets.last.push({ ...ORDERS, dataType: 'userIncrRecord', record }),
    pushBalances: () => sockets.last.push({ ...BALANCES, dataType: 'userIncrAsset', coins: [] }),
    wait: (seconds: number) => {
      for (let i = 0; i < seconds; i++) {
        sockets.last.events.message('pong');
        clock.advanceBy(1_000);
      }
    },
    asked: ({ channel }: { readonly channel: string }) =>
      sockets.last.frames.filter((frame) => frame.channel === channel && frame.event !== undefined)
        .length,
    get state() {
      return states.at(-1)!;
    },
  };
}

describe('a channel that an account needs, silent', () => {
  test('is asked for once more where it says nothing, which is no fault', () => {
    const account = accountFixture();
    account.wait(29);
    expect(account.asked(BALANCES)).toBe(1);
    account.wait(2);
    expect([account.asked(BALANCES), account.asked(ORDERS)]).toEqual([2, 2]);
    account.wait(300);
    expect([account.asked(BALANCES), account.asked(ORDERS)]).toEqual([2, 2]);
    expect(account.states.filter(({ connected }) => !connected)).toHaveLength(1);
  });

  test('is not asked for again once it brought data, or its subscription was answered', () => {
    const account = accountFixture();
    account.pushOrder(CANCELLED);
    account.sockets.last.push({ ...BALANCES, code: 1000, success: true, message: 'done' });
    account.wait(300);
    expect([account.asked(BALANCES), account.asked(ORDERS)]).toEqual([1, 1]);
  });
});

describe('a channel that an account needs, deaf', () => {
  test.each(['place', 'cancel'] as const)(
    'is deaf where it tells nothing after a %s: down, and asked for until it speaks',
    (act) => {
      const account = accountFixture();
      account.wait(100);
      account[act]();
      account.wait(29);
      expect(account.state.connected).toBe(true);
      account.wait(2);
      expect(account.state).toEqual({
        connected: false,
        reason:
          'push_user_incr_record btcusdtdefault told nothing for 30 s though the account changed',
      });
      expect(account.asked(ORDERS)).toBe(3);
      expect(account.logger.lines).toEqual([expect.stringContaining('push channel is deaf')]);
      account[act]();
      account.wait(31);
      expect([account.state.connected, account.asked(ORDERS)]).toEqual([false, 4]);
      account.pushOrder(CANCELLED);
      expect(account.state.connected).toBe(true);
      account.wait(300);
      expect([account.state.connected, account.asked(ORDERS)]).toEqual([true, 4]);
    },
  );

  test('need not tell of a batch of which nothing was taken', () => {
    const account = accountFixture();
    account.http.answers['/api/orderMoreV2'] = '{"code":1000,"message":"no","data":[""]}';
    account.placeBatch();
    account.wait(60);
    expect(account.states.filter(({ connected }) => !connected)).toHaveLength(1);
  });

  test('is hoped to hear again where nothing changed since it was asked for', () => {
    const account = accountFixture();
    account.place();
    account.wait(31);
    expect(account.state.connected).toBe(false);
    account.wait(30);
    expect(account.state.connected).toBe(true);
  });

  test('is found deaf that told of changes before', () => {
    const account = accountFixture();
    account.place();
    account.pushOrder(CANCELLED);
    account.wait(300);
    account.place();
    account.pushOrder(CANCELLED);
    account.wait(300);
    expect(account.states.filter(({ connected }) => !connected)).toHaveLength(1);
    account.place();
    account.wait(31);
    expect(account.state.connected).toBe(false);
  });

  test('need not tell of a change twice: its word just before counts', () => {
    const account = accountFixture();
    account.pushOrder(CANCELLED);
    account.wait(1);
    account.place();
    account.wait(60);
    expect(account.states.filter(({ connected }) => !connected)).toHaveLength(1);
  });
});

describe('a channel that an account needs, where the date is set forth', () => {
  test('has its time to tell of a change where the date is set forth', () => {
    const account = accountFixture();
    account.wait(29);
    account.place();
    account.setForth(HOUR_MS);
    account.wait(29);
    expect(account.state.connected).toBe(true);
    account.wait(2);
    expect(account.state.connected).toBe(false);
  });
});

describe('the channel of balances', () => {
  test('must tell of an order that rests, of one that ended at once nothing', () => {
    const account = accountFixture();
    account.pushOrder(CANCELLED);
    account.wait(60);
    expect(account.state.connected).toBe(true);
    account.pushOrder(RESTING);
    account.place();
    account.wait(31);
    expect(account.state.reason).toContain('push_user_incr_asset told nothing');
    account.pushBalances();
    expect(account.state.connected).toBe(true);
  });

  test('must tell of an order that filled at once', () => {
    const account = accountFixture();
    account.place();
    account.pushOrder(RESTING.with(3, 0.001).with(4, 30).with(7, 2));
    account.wait(31);
    expect(account.state.reason).toContain('push_user_incr_asset told nothing');
  });

  test('need not tell of an IOC that was told as taken and filled nothing', () => {
    const account = accountFixture();
    account.place();
    account.pushOrder(RESTING.with(5, 5));
    account.pushOrder(CANCELLED.with(5, 5));
    account.wait(60);
    expect(account.states.filter(({ connected }) => !connected)).toHaveLength(1);
    account.pushOrder(RESTING.with(5, 5).with(3, 0.0005).with(4, 15));
    account.wait(31);
    expect(account.state.reason).toContain('push_user_incr_asset told nothing');
  });

  test('must tell of an order whose answer came before its push, and of a batch', () => {
    for (const act of ['place', 'placeBatch'] as const) {
      const account = accountFixture();
      account.http.answers['/api/orderMoreV2'] = '{"code":1000,"message":"ok","data":["20220223"]}';
      account[act]();
      account.pushOrder(RESTING);
      account.wait(31);
      expect(account.state.reason).toContain('push_user_incr_asset told nothing');
    }
  });

  test('need not tell of orders of another wallet, or placed by somebody else', () => {
    const account = accountFixture();
    account.exchange.trading.place({ ...ORDER, accountType: 2 }).subscribe();
    account.wait(1);
    account.pushOrder(RESTING);
    account.pushOrder(RESTING.with(0, '20220224'));
    account.wait(60);
    expect(account.states.filter(({ connected }) => !connected)).toHaveLength(1);
  });
});

describe('a channel that an account needs, refused or left', () => {
  test('is refused until it speaks itself, whatever another one brings', () => {
    const account = accountFixture();
    account.sockets.last.push({ code: 1002, channel: ORDERS.channel, message: 'no' });
    account.pushBalances();
    expect(account.state.reason).toBe('push_user_incr_record refused: 1002 no');
    account.pushOrder(CANCELLED);
    expect(account.state.connected).toBe(true);
  });

  test('is asked for again where the answer to its second refusal got lost', () => {
    const account = accountFixture();
    account.sockets.last.push({ code: 1002, channel: BALANCES.channel, message: 'no' });
    account.wait(31);
    expect(account.asked(BALANCES)).toBe(2);
    account.wait(30);
    expect(account.asked(BALANCES)).toBe(3);
  });

  test('is waited for no more by who left it, refused or not', () => {
    const account = accountFixture();
    account.sockets.last.push({ code: 1002, channel: ORDERS.channel, message: 'no' });
    account.orders.unsubscribe();
    account.balances.unsubscribe();
    expect(account.state.connected).toBe(true);
    account.sockets.last.push({ code: 1002, channel: ORDERS.channel, message: 'late' });
    const frames = account.sockets.last.frames.length;
    account.place();
    account.wait(120);
    expect(account.sockets.last.frames).toHaveLength(frames);
    expect(account.state.connected).toBe(true);
  });

  test('is not asked for by who left it and came back, on behalf of who was refused', () => {
    const account = accountFixture();
    account.sockets.last.push({ code: 1002, channel: ORDERS.channel, message: 'no' });
    account.orders.unsubscribe();
    account.wait(20);
    account.exchange.accountFeed.orders('btc_usdt').subscribe();
    const asked = account.asked(ORDERS);
    account.wait(29);
    expect(account.asked(ORDERS)).toBe(asked);
  });

  test('has as long to tell of a change as ever, whenever it was asked for', () => {
    const account = accountFixture();
    account.wait(25);
    account.place();
    account.wait(29);
    expect(account.state.connected).toBe(true);
    account.wait(2);
    expect(account.state.connected).toBe(false);
  });
});

describe('a channel that an account needs, of two markets', () => {
  const OF_ETH = { ...ORDERS, market: 'ethusdtdefault' };

  /** The same account, subscribed to a second market too. */
  function twoMarkets() {
    const account = accountFixture();
    const eth = account.exchange.accountFeed.orders('eth_usdt').subscribe();
    const { last } = account.sockets;
    return {
      ...account,
      eth,
      refuse: () => last.push({ code: 1003, channel: ORDERS.channel, message: 'no' }),
      take: () => last.push({ code: 1000, channel: ORDERS.channel, success: true }),
      pushEth: () => last.push({ ...OF_ETH, dataType: 'userIncrRecord', record: CANCELLED }),
      get state() {
        return account.state;
      },
    };
  }

  test('is refused until it has spoken of each, while one of them is refused again and again', () => {
    const account = twoMarkets();
    let answered = 0;
    for (let second = 0; second < 600; second += 2) {
      // The subscription of one market is always refused; that of the other is never answered.
      for (; answered < account.asked(ORDERS); answered += 2) account.refuse();
      if (second % 10 === 0) account.place();
      account.pushEth();
      expect([second, account.state.connected]).toEqual([second, false]);
      account.wait(2);
    }
    account.pushOrder(CANCELLED);
    expect(account.state.connected).toBe(true);
  });

  test('is refused although the exchange took it, in one market or the other', () => {
    const account = twoMarkets();
    account.refuse();
    account.take();
    expect(account.state.connected).toBe(false);
    account.eth.unsubscribe();
    expect(account.state.connected).toBe(false);
    account.take();
    expect(account.state.connected).toBe(true);
  });

  test('is asked for again in the market that stays, when the other one is left', () => {
    const account = twoMarkets();
    account.refuse();
    account.eth.unsubscribe();
    const asked = account.asked(ORDERS);
    account.wait(31);
    expect(account.asked(ORDERS)).toBe(asked + 1);
  });
});

describe('a channel that an account needs, and its connection', () => {
  test('is heard anew on a new connection, whatever was known of it', () => {
    const account = accountFixture();
    account.place();
    account.wait(31);
    expect(account.state.connected).toBe(false);
    account.sockets.last.events.closed('gone');
    expect(account.states.slice(-2).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('told nothing'),
      'gone',
    ]);
    account.place();
    account.clock.advanceBy(1_000);
    account.sockets.last.events.opened();
    expect([account.state.connected, account.asked(ORDERS)]).toEqual([true, 1]);
    account.wait(29);
    expect([account.state.connected, account.asked(ORDERS)]).toEqual([true, 1]);
    account.wait(2);
    expect([account.state.connected, account.asked(ORDERS)]).toEqual([true, 2]);
  });

  test('leaves no timer behind when the client is closed', async () => {
    const { exchange, clock } = accountFixture();
    await exchange.close();
    expect(clock.nextDueMs).toBeUndefined();
  });
});
