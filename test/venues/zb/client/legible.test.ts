import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { failureOf, NOW_MS, zbFixture } from './fixture.ts';

const QUERY = { market: 'btc_usdt', side: 'buy', page: 1 } as const;

const row = (id: number, odd: Record<string, unknown> = {}) => ({
  ...{ currency: 'btc_usdt', id: String(id), price: 30000, status: 3, total_amount: 1 },
  ...{ trade_amount: 0, trade_date: NOW_MS, trade_money: 0, type: 1, ...odd },
});

/** Reads a list of orders with these rows; returns the log, too. */
function readRows(...rows: readonly object[]) {
  const { exchange, http, logger } = zbFixture();
  http.answers = { '/api/getOrders': JSON.stringify(rows) };
  return { orders: () => exchange.trading.orders(QUERY), exchange, logger };
}

describe('a list of orders with one that cannot be read', () => {
  test.each([
    ['an order of another kind', { type: 11 }],
    ['an unknown status', { status: 7 }],
    ['no price', { price: '' }],
    ['another market', { currency: 'eth_usdt' }],
  ])('tells the others, and the id of that one: %s', async (_, odd) => {
    const { orders } = readRows(row(3), row(2, odd), row(1));
    const page = await firstValueFrom(orders());
    expect(page.map(({ exchangeOrderId }) => exchangeOrderId)).toEqual(['3', '1']);
    expect(page.illegible).toEqual(['2']);
  });

  test('tells it to the log, once', async () => {
    const { orders, logger } = readRows(row(2, { type: 11 }), row(1));
    await firstValueFrom(orders());
    await firstValueFrom(orders());
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines[0]).toMatch(/^an order of btc_usdt cannot be read, it is left out: 2 /);
  });

  test('is empty where that is all there is, and of another kind', async () => {
    const page = await firstValueFrom(readRows(row(2, { type: 11 })).orders());
    expect([...page]).toEqual([]);
    expect(page.illegible).toEqual(['2']);
  });

  test('fails where none can be read: then it is the answer that is odd', async () => {
    const { orders } = readRows(row(2, { total_amount: null }), row(1, { total_amount: null }));
    expect((await failureOf(orders())).message).toContain("order's total_amount");
  });

  test('fails where nobody can tell which it is', async () => {
    const { orders } = readRows(row(2), row(1, { id: 'none', type: 11 }));
    expect((await failureOf(orders())).message).toContain('Cannot read');
  });

  test('is none of all orders, which are promised whole', async () => {
    const { exchange } = readRows(row(2), row(1, { type: 11 }));
    const read = exchange.allOrders(QUERY).next();
    await expect(read).rejects.toThrow('Cannot read all orders: 1 cannot be read');
  });
});

const BTC = { key: 'BTC', available: '1', freez: '0.5' };
const ODD = { key: 'XYZ', available: '', freez: null };

function accountOf(coins: readonly unknown[]) {
  const { exchange, http } = zbFixture();
  const rights = { assetPerm: true, entrustPerm: true, moneyPerm: false, leverPerm: false };
  http.answers = { '/api/getAccountInfo': JSON.stringify({ result: { coins }, ...rights }) };
  return exchange.account.account();
}

describe('an account with a coin that cannot be read', () => {
  test('tells the balances of the others, and the name of that one', async () => {
    const { balances, illegible } = await firstValueFrom(accountOf([ODD, BTC]));
    expect(balances.map(({ currency }) => currency)).toEqual(['btc']);
    expect(illegible).toEqual(['xyz']);
  });

  test('fails where none can be read', async () => {
    expect((await failureOf(accountOf([ODD]))).message).toContain('available of xyz');
  });

  test('pushes what can be read', () => {
    const { exchange, sockets } = zbFixture();
    const seen: unknown[] = [];
    exchange.accountFeed.balances().subscribe((push) => seen.push(push));
    sockets.last.events.opened();
    const frame = { dataType: 'userIncrAsset', channel: 'push_user_incr_asset', version: NOW_MS };
    sockets.last.push({ ...frame, coins: [ODD, BTC] });
    expect(seen).toMatchObject([{ balances: [{ currency: 'btc' }] }]);
  });
});

const RULES = { priceScale: 2, amountScale: 4, minAmount: 0.0001, minSize: 1 };
const TICKER = Object.fromEntries(
  ['high', 'low', 'buy', 'sell', 'last', 'open', 'riseRate', 'vol'].map((name) => [name, '1']),
);

/** The venue's market data with these rules and tickers by market, and the log. */
function dataOf({ markets = {}, tickers = {} }: { markets?: object; tickers?: object }) {
  const { exchange, http, logger } = zbFixture();
  http.answers = {
    '/data/v1/markets': JSON.stringify(markets),
    '/data/v1/allTicker': JSON.stringify(tickers),
  };
  return { market: exchange.market, logger };
}

describe('a list of markets with one that cannot be read', () => {
  test.each([
    ['no rules', null],
    ['rules without a least value', { ...RULES, minSize: undefined }],
    ['a scale that is none', { ...RULES, priceScale: -1 }],
  ])('tells the others, and the name of that one: %s', async (_, odd) => {
    const { market, logger } = dataOf({ markets: { new_usdt: odd, btc_usdt: RULES } });
    const markets = await firstValueFrom(market.markets());
    expect(markets.map(({ id }) => id)).toEqual(['btc_usdt']);
    expect(markets.illegible).toEqual(['new_usdt']);
    expect(logger.lines).toHaveLength(1);
    expect(logger.lines[0]).toMatch(/^the rules of a market cannot be read, .*: new_usdt /);
  });

  test('fails where none can be read', async () => {
    const { market } = dataOf({ markets: { new_usdt: null } });
    expect((await failureOf(market.markets())).message).toContain('market new_usdt');
  });

  test('still names that one where tickers leave underscores out', async () => {
    const { market } = dataOf({
      markets: { new_usdt: null, btc_usdt: RULES },
      tickers: { newusdt: TICKER, btcusdt: TICKER },
    });
    const tickers = await firstValueFrom(market.tickers());
    expect(tickers.map((ticker) => ticker.market)).toEqual(['new_usdt', 'btc_usdt']);
  });

  test('tells the tickers of the others', async () => {
    const odd = { ...TICKER, buy: null };
    const { market, logger } = dataOf({ tickers: { new_usdt: odd, btc_usdt: TICKER } });
    const tickers = await firstValueFrom(market.tickers());
    expect(tickers.map((ticker) => ticker.market)).toEqual(['btc_usdt']);
    expect(logger.lines[0]).toMatch(/^a ticker cannot be read, it is left out: new_usdt /);
  });
});
