import { inspect } from 'node:util';
import {
  asyncScheduler,
  firstValueFrom,
  lastValueFrom,
  NEVER,
  Observable,
  type Subscription,
  throwError,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { INTERVALS, type Price } from '../../../../../src/domain/index.ts';
import { CONTRACT_LIMITS } from '../../../../../src/exchange/index.ts';
import { seededRandom } from '../../../../../src/kernel/index.ts';
import { connectZb } from '../../../../../src/venues/zb/client/index.ts';
import { signatureOf, signedText, signingKeyOf } from '../../../../../src/venues/zb/wire/index.ts';
import {
  FakeHttp,
  failureOf,
  httpAnswer,
  KEYS,
  NOW_MS,
  ORDER,
  rawServer,
  zbFixture,
} from '../fixture.ts';

const TICKER = {
  high: '2',
  low: '1',
  buy: '1.4',
  sell: '1.6',
  last: '1.5',
  open: '1',
  riseRate: '50',
  vol: '9',
};
const RECORD = {
  currency: 'btc_usdt',
  id: '202202224851151555',
  price: 30000,
  status: 3,
  total_amount: 0.0006,
  trade_amount: 0,
  trade_date: NOW_MS,
  trade_money: 0,
  type: 1,
};

describe('trading', () => {
  test('place sends one signed request, stamped when it leaves, and answers synchronously', () => {
    const { exchange, http, clock } = zbFixture({ timeOffsetMs: 250 });
    http.answers = { '/api/order': '{"code":"1000","message":"ok","id":"202202224851151555"}' };
    const call = exchange.trading.place(ORDER);
    clock.advanceBy(1_000);
    expect(http.targets).toHaveLength(0);
    let placed: unknown;
    call.subscribe((answer) => {
      placed = answer;
    });
    expect(placed).toEqual({ exchangeOrderId: '202202224851151555' });
    expect(http.targets).toHaveLength(1);
    const parameters = Object.fromEntries(http.targets[0]!.searchParams);
    expect(parameters).toMatchObject({
      method: 'order',
      accesskey: KEYS.accessKey,
      customerOrderId: 'order0001',
      reqTime: String(NOW_MS + 1_250),
      sign: signatureOf(signingKeyOf(KEYS.secretKey), signedText(parameters)),
    });
  });

  test('place is unsent, and nothing leaves, where the order cannot be written', async () => {
    const { exchange, http } = zbFixture();
    const failure = await failureOf(exchange.trading.place({ ...ORDER, price: -1 as Price }));
    expect(failure.kind).toBe('unsent');
    expect(http.targets).toHaveLength(0);
  });

  test('placeBatch, cancel, cancelAllAfter and order read their answers', async () => {
    const { exchange, http } = zbFixture();
    http.answers = {
      '/api/orderMoreV2': '{"code":1000,"message":"ok","data":["1","2"]}',
      '/api/cancelOrder':
        '{"code":1000,"message":{"des":"ok","isSuc":true,"datas":{"amount":2,"price":3,"completeMonty":3,"completeAmount":1}}}',
      '/api/cancelAllOrdersAfter': '{"code":1000,"message":"ok"}',
      '/api/getOrder': JSON.stringify(RECORD),
    };
    const { trading } = exchange;
    const reference = { market: 'btc_usdt', clientOrderId: 'order0001' };
    const batch = { market: 'btc_usdt', side: 'buy' as const, orders: [ORDER, ORDER] };
    expect(await firstValueFrom(trading.placeBatch(batch))).toEqual({
      exchangeOrderIds: ['1', '2'],
    });
    expect(await firstValueFrom(trading.cancel(reference))).toMatchObject({ filledAmount: 1 });
    expect(await firstValueFrom(trading.cancelAllAfter('btc_usdt'))).toBeUndefined();
    expect(await firstValueFrom(trading.order(reference))).toMatchObject({ closed: false });
  });

  test('orders is empty for code 3001, and fails with any other', async () => {
    const { exchange, http } = zbFixture();
    const query = { market: 'btc_usdt', side: 'buy' as const, page: 1 };
    http.answers = { '/api/getOrders': '{"code":3001,"message":"order not found"}' };
    expect(await firstValueFrom(exchange.trading.orders(query))).toEqual([]);
    http.answers = { '/api/getOrders': JSON.stringify([RECORD, RECORD]) };
    expect(await firstValueFrom(exchange.trading.orders(query))).toHaveLength(2);
    http.answers = { '/api/getOrders': '{"code":1003,"message":"x"}' };
    expect((await failureOf(exchange.trading.orders(query))).code).toBe(1003);
  });

  test('order fails with rejected 3001 where there is none', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/getOrder': '{"code":"3001","message":"x"}' };
    const call = exchange.trading.order({ market: 'btc_usdt', exchangeOrderId: '1' });
    expect(await failureOf(call)).toMatchObject({ kind: 'rejected', code: 3001 });
  });

  test('dropping the subscription does not send again, nor take back', () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/api/order': '{"code":1000,"id":"1"}' };
    exchange.trading.place(ORDER).subscribe().unsubscribe();
    expect(http.targets).toHaveLength(1);
  });
});

describe('market data', () => {
  test('stamps what it reads with the clock', async () => {
    const { exchange, http } = zbFixture();
    http.answers = {
      '/data/v1/ticker': JSON.stringify({ ticker: TICKER, date: String(NOW_MS - 40) }),
      '/data/v1/depth': JSON.stringify({ asks: [[2, 1]], bids: [[1, 1]], timestamp: NOW_MS - 30 }),
    };
    const stamps = { receivedTime: NOW_MS, market: 'btc_usdt' };
    expect(await firstValueFrom(exchange.market.ticker('btc_usdt'))).toMatchObject({
      ...stamps,
      exchangeTime: NOW_MS - 40,
      change: 0.5,
    });
    expect(await firstValueFrom(exchange.market.depth({ market: 'btc_usdt' }))).toMatchObject({
      ...stamps,
      exchangeTime: NOW_MS - 30,
    });
    expect(http.targets[1]!.search).toBe('?market=btc_usdt&size=50');
  });
});

describe('market data, parameters', () => {
  test('depth asks for merged levels in plain digits', () => {
    const { exchange, http } = zbFixture();
    exchange.market.depth({ market: 'btc_usdt', merge: 1e-7 }).subscribe({ error: () => {} });
    expect(http.targets[0]!.search).toBe('?market=btc_usdt&merge=0.0000001');
  });

  test('depth asks for size and step together', () => {
    const { exchange, http } = zbFixture();
    const query = { market: 'btc_usdt', size: 7, merge: 0.01 };
    exchange.market.depth(query).subscribe({ error: () => {} });
    expect(http.targets[0]!.search).toBe('?market=btc_usdt&size=7&merge=0.01');
  });

  test.each(INTERVALS)('candles of %s carry since and size', async (interval) => {
    const { exchange, http } = zbFixture();
    http.answers = { '/data/v1/kline': '{"data":[[1645610220000,"1","2","1","2","3"]]}' };
    const query = { market: 'btc_usdt', interval, since: NOW_MS, size: 1000 };
    const candles = await firstValueFrom(exchange.market.candles(query));
    expect(candles).toMatchObject([{ interval, high: 2, volume: 3 }]);
    expect(http.targets[0]!.search).toBe(
      `?market=btc_usdt&type=${interval}&since=${NOW_MS}&size=1000`,
    );
  });

  test('trades passes the cursor on', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/data/v1/trades': '[]' };
    await firstValueFrom(exchange.market.trades({ market: 'btc_usdt', since: '279' }));
    expect(http.targets[0]!.search).toBe('?market=btc_usdt&since=279');
  });

  test('candles closes by the exchange time', async () => {
    const open = NOW_MS - (NOW_MS % 60_000);
    const rows = [
      [open - 60_000, 1, 1, 1, 1, 1],
      [open, 1, 1, 1, 1, 1],
    ];
    const { exchange, http } = zbFixture();
    http.answers = { '/data/v1/kline': JSON.stringify({ data: rows, symbol: 'BTC' }) };
    const query = { market: 'btc_usdt', interval: '1min' as const, size: 2 };
    const candles = await firstValueFrom(exchange.market.candles(query));
    expect(candles.map(({ closed }) => closed)).toEqual([true, false]);
    expect(http.targets[0]!.search).toBe('?market=btc_usdt&type=1min&size=2');
  });
});

describe('tickers', () => {
  test('tickers learns the markets once where underscores are missing', async () => {
    const { exchange, http } = zbFixture();
    http.answers = {
      '/data/v1/markets': '{"btc_usdt":{"amountScale":4,"priceScale":2,"minAmount":1,"minSize":1}}',
      '/data/v1/allTicker': JSON.stringify({ btcusdt: TICKER, oldusdt: TICKER }),
    };
    const read = () => firstValueFrom(exchange.market.tickers());
    expect((await read()).map(({ market }) => market)).toEqual(['btc_usdt']);
    await read();
    const asked = http.targets.filter(({ pathname }) => pathname === '/data/v1/markets');
    expect(asked).toHaveLength(1);
  });

  test('tickers needs no markets where names are whole', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/data/v1/allTicker': JSON.stringify({ btc_usdt: TICKER }) };
    expect(await firstValueFrom(exchange.market.tickers())).toHaveLength(1);
    expect(http.targets).toHaveLength(1);
  });

  test.each(['{"btcusdt":5}', '{"btc_usdt":{}}', '[]', '<html>'])(
    'tickers fails with an ExchangeFailure for %s',
    async (body) => {
      const { exchange, http } = zbFixture();
      http.answers = {
        '/data/v1/allTicker': body,
        '/data/v1/markets':
          '{"btc_usdt":{"amountScale":4,"priceScale":2,"minAmount":1,"minSize":1}}',
      };
      expect((await failureOf(exchange.market.tickers())).kind).toBe('unknown');
    },
  );
});

describe('tickers of markets that were not known', () => {
  const RULES = { amountScale: 4, priceScale: 2, minAmount: 1, minSize: 1 };
  const listed = (...ids: string[]) =>
    JSON.stringify(Object.fromEntries(ids.map((id) => [id, RULES])));
  const quoted = (...symbols: string[]) =>
    JSON.stringify(Object.fromEntries(symbols.map((symbol) => [symbol, TICKER])));

  /** Tickers of a market that is listed after the names were learnt. */
  function listedLater(secondMarkets: string) {
    const { exchange, http, clock } = zbFixture();
    http.answers = {
      '/data/v1/markets': [listed('btc_usdt'), secondMarkets, listed('btc_usdt', 'new_usdt')],
      '/data/v1/allTicker': quoted('btcusdt', 'newusdt', 'oldusdt'),
    };
    const read = async () =>
      (await firstValueFrom(exchange.market.tickers())).map(({ market }) => market);
    const looks = () => http.targets.filter(({ pathname }) => pathname.endsWith('markets')).length;
    return { read, looks, clock };
  }

  test('tickers learns a market that is listed later, looking for names once a minute', async () => {
    const { read, looks, clock } = listedLater(listed('btc_usdt', 'new_usdt'));
    expect(await read()).toEqual(['btc_usdt']);
    clock.advanceBy(59_999);
    expect(await read()).toEqual(['btc_usdt']);
    expect(looks()).toBe(1);
    clock.advanceBy(1);
    expect(await read()).toEqual(['btc_usdt', 'new_usdt']);
    expect(await read()).toEqual(['btc_usdt', 'new_usdt']);
    expect(looks()).toBe(2);
  });

  test('tickers tells what it can name while names cannot be read again, and tries anew', async () => {
    const { read, looks, clock } = listedLater('{"code":1001,"message":"busy"}');
    await read();
    clock.advanceBy(60_000);
    expect(await read()).toEqual(['btc_usdt']);
    expect(await read()).toEqual(['btc_usdt']);
    expect(looks()).toBe(2);
    clock.advanceBy(60_000);
    expect(await read()).toEqual(['btc_usdt', 'new_usdt']);
  });

  test('tickers never takes names that could not be read for none', async () => {
    const { exchange, http } = zbFixture();
    http.answers = { '/data/v1/allTicker': quoted('btcusdt') };
    await failureOf(exchange.market.tickers());
    expect((await failureOf(exchange.market.tickers())).code).toBe(1001);
  });
});

describe('account', () => {
  test('reads balances and rights', async () => {
    const { exchange, http } = zbFixture();
    const coins = [{ key: 'USDT', available: '10.5', freez: '0' }];
    http.answers = {
      '/api/getAccountInfo': JSON.stringify({
        result: { coins },
        assetPerm: true,
        entrustPerm: true,
        moneyPerm: true,
        leverPerm: false,
      }),
    };
    const { balances, permissions } = await firstValueFrom(exchange.account.account());
    expect(balances[0]).toMatchObject({ currency: 'usdt' });
    expect(permissions.withdrawals).toBe(true);
  });
});

describe('connectZb', () => {
  test('carries the limits of the contract, and what its sockets carry', () => {
    expect(zbFixture({ connections: 7 }).exchange.limits).toEqual({
      ...CONTRACT_LIMITS,
      unhurriedInFlightMax: 7,
    });
  });

  test('shows no key, however it is printed', async () => {
    const { exchange, logger } = zbFixture();
    const failure = await failureOf(exchange.trading.place(ORDER));
    exchange.marketFeed.depth('btc_usdt').subscribe();
    exchange.accountFeed.balances().subscribe();
    const shown = [
      inspect(exchange, { depth: 20, showHidden: true }),
      JSON.stringify(exchange),
      String(exchange),
      inspect(failure, { depth: 20 }),
      ...logger.lines,
    ].join('\n');
    expect(shown).not.toMatch(/test-secret-key|d4e0e04792|test-access-key/);
  });

  test('shows neither key nor signature of a request that an answer repeats', async () => {
    const { exchange, http } = zbFixture();
    await failureOf(exchange.trading.place(ORDER));
    const { search, searchParams } = http.targets[0]!;
    const sign = searchParams.get('sign')!;
    for (const said of [search, `sign=${sign}`, `key ${KEYS.accessKey}: ${sign}`]) {
      http.answers = { '/api/order': JSON.stringify({ code: 1001, message: said }) };
      const shown = inspect(await failureOf(exchange.trading.place(ORDER)), { depth: 20 });
      expect(shown).toContain('***');
      for (const secret of ['test-access', sign.slice(0, 8)]) expect(shown).not.toContain(secret);
    }
  });

  test.each(['dataUrl', 'tradeUrl', 'pushUrl'])('refuses an open line in %s', (setting) => {
    const url = setting === 'pushUrl' ? 'ws://push.example' : 'http://trade.example';
    expect(() => zbFixture({ [setting]: url })).toThrow(new RegExp(`Cannot use ${setting}`));
  });

  test('stands on the real transports by default', async () => {
    const { clock } = zbFixture();
    const { random, ...options } = { random: { next: () => 0.5 }, ...KEYS };
    const exchange = connectZb({
      ...options,
      clock,
      random: random as never,
      dataUrl: 'http://127.0.0.1:1',
      tradeUrl: 'http://127.0.0.1:1',
      pushUrl: 'ws://127.0.0.1:1',
    });
    expect((await failureOf(exchange.trading.place(ORDER))).kind).toBe('unsent');
    await exchange.close();
    expect((await failureOf(exchange.trading.place(ORDER))).kind).toBe('unsent');
  });
});

describe('connectZb, sockets', () => {
  test('sends a heartbeat and a cancel at once while orders hang, and a heartbeat while cancels hang', async () => {
    const server = await rawServer((socket, text) => {
      const hangs = text.includes('/api/order') || text.includes('id=9');
      if (!hangs) socket.write(httpAnswer('{"code":1000,"message":"ok"}'));
    });
    const exchange = connectZb({
      ...{ ...KEYS, clock: asyncScheduler, random: seededRandom(1) },
      ...{ dataUrl: server.baseUrl, tradeUrl: server.baseUrl, pushUrl: 'ws://127.0.0.1:1' },
    });
    const { trading } = exchange;
    const market = 'btc_usdt';
    const hung: Subscription[] = [];
    for (let i = 0; i < 60; i++) hung.push(trading.place(ORDER).subscribe({ error: () => {} }));
    await firstValueFrom(trading.cancel({ market, exchangeOrderId: '1' }), { defaultValue: null });
    await firstValueFrom(trading.cancelAllAfter(market), { defaultValue: null });
    for (let i = 0; i < 60; i++) {
      const cancel = trading.cancel({ market, exchangeOrderId: '9' });
      hung.push(cancel.subscribe({ error: () => {} }));
    }
    await firstValueFrom(trading.cancelAllAfter(market), { defaultValue: null });
    const orders = server.requests.filter((text) => text.includes('/api/order'));
    expect(orders.length).toBeLessThanOrEqual(16);
    for (const each of hung) each.unsubscribe();
    await server.close();
  });

  test('warm sends as many requests as sockets to both addresses and survives their failure', async () => {
    const made: Record<string, number> = {};
    const failing = (baseUrl: string) =>
      Object.assign(new FakeHttp(), {
        get: () =>
          new Observable<never>((subscriber) => {
            made[baseUrl] = (made[baseUrl] ?? 0) + 1;
            return throwError(() => new Error('refused')).subscribe(subscriber);
          }),
      });
    const { exchange, logger } = zbFixture({ http: failing, connections: 3, urgentConnections: 2 });
    expect(await lastValueFrom(exchange.warm())).toBeUndefined();
    expect(made).toEqual({ 'https://data.example': 3, 'https://trade.example': 7 });
    expect(logger.lines).toHaveLength(1);
    expect(JSON.stringify(logger.lines)).toContain('10 of 10 sockets could not be opened');
  });

  test('warm says nothing where all could be opened', async () => {
    const { exchange, logger } = zbFixture({ connections: 3 });
    await lastValueFrom(exchange.warm());
    expect(logger.lines).toEqual([]);
  });

  test('warm waits for all of them', () => {
    const { exchange } = zbFixture({
      http: () => Object.assign(new FakeHttp(), { get: () => NEVER }),
    });
    let warmed = false;
    exchange.warm().subscribe(() => {
      warmed = true;
    });
    expect(warmed).toBe(false);
  });
});
