/** The exchange of `push-clients.ts`: a seeded market behind the wire, and an account that trades. */
import { setTimeout as sleep } from 'node:timers/promises';
import { asyncScheduler, firstValueFrom } from 'rxjs';
import { type Amount, INTERVALS, type Price } from '../src/domain/index.ts';
import type { FullExchange } from '../src/exchange/index.ts';
import { seededRandom, silentLogger } from '../src/kernel/index.ts';
import { SimulatedExchange, startSyntheticMarket, syntheticSchema } from '../src/sim/index.ts';
import { serveZb } from '../src/venues/zb/server/index.ts';

export const KEY = { accessKey: 'test-access-key', secretKey: 'test-secret-key', account: 'main' };
const MARKET = { id: 'btc_usdt', base: 'btc', quote: 'usdt', priceScale: 2, amountScale: 4 };
/** How often the account places and cancels an order. */
const TRADE_MS = 500;
/** Until the last pushes have left and arrived. */
const SETTLE_MS = 2_000;

/** What the server knows in the end, in the terms of the wire. */
export interface Truth {
  readonly lastTradeId: number;
  readonly orderPushes: number;
  readonly bids: unknown;
  readonly asks: unknown;
  readonly candles: Readonly<Record<string, unknown>>;
  readonly coins: Readonly<Record<string, string>>;
  readonly openOrders: readonly string[];
}

export interface Usage {
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly residentBytes: number;
  readonly cpuMs: number;
}

if (process.send !== undefined) await serve();

async function serve(): Promise<void> {
  const { host, market } = openExchange();
  const exchange = host.account('main')!;
  let orderPushes = 0;
  exchange.accountFeed.orders('btc_usdt').subscribe(() => orderPushes++);
  const permissions = { assets: true, orders: true, withdrawals: true, margin: true };
  const keys = [{ ...KEY, permissions }];
  const { port } = await serveZb({
    ...{ host, keys, clock: asyncScheduler, logger: silentLogger, port: 0 },
  });
  let trader: NodeJS.Timeout | undefined;
  process.on('disconnect', () => process.exit());
  process.on('message', async (wanted) => {
    if (wanted === 'trade') trader = setInterval(() => trade(exchange), TRADE_MS);
    if (wanted === 'usage') process.send?.(usage());
    if (wanted !== 'halt') return;
    market.unsubscribe();
    clearInterval(trader);
    await sleep(SETTLE_MS);
    process.send?.(await truth(exchange, orderPushes));
  });
  process.send?.(port);
}

function openExchange() {
  const money = { usdt: '10000000', btc: '100' };
  const host = new SimulatedExchange({
    clock: asyncScheduler,
    markets: [{ ...MARKET, minAmount: 0.0001, minSize: 1 }],
    accounts: [{ name: 'main', balances: money, marginBalances: { cross: money } }],
  });
  const market = startSyntheticMarket({
    liquidity: host.anonymous('btc_usdt'),
    clock: asyncScheduler,
    parameters: syntheticSchema.parse({ startPrice: 30_000, tradesPerMinute: 180, stepMs: 100 }),
    seedHistory: (minutes) => host.seedHistory('btc_usdt', minutes),
    random: seededRandom(1),
  });
  return { host, market };
}

let placed = 0;

/** A limit order that rests, of the spot account or the cross account, for one that did. */
function trade({ trading }: FullExchange): void {
  const accountType = placed % 4 === 3 ? 2 : 0;
  const clientOrderId = `bench${placed++}`;
  const terms = { market: 'btc_usdt', side: 'buy', type: 'limit' } as const;
  const price = (20_000 + (placed % 100)) as Price;
  const order = { ...terms, price, amount: 0.01 as Amount, clientOrderId, accountType } as const;
  trading.place(order).subscribe();
  if (placed <= 10) return;
  const old = { market: 'btc_usdt', clientOrderId: `bench${placed - 10}` };
  trading.cancel(old).subscribe();
}

function usage(): Usage {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1_000;
  return { heapBytes: heapUsed, externalBytes: external, residentBytes: rss, cpuMs };
}

async function truth(exchange: FullExchange, orderPushes: number): Promise<Truth> {
  const { market, account, orderLists } = exchange;
  const id = { market: 'btc_usdt' };
  const depth = await firstValueFrom(market.depth(id));
  const trades = await firstValueFrom(market.trades(id));
  const candles = await Promise.all(
    INTERVALS.map(async (interval) => {
      const kept = await firstValueFrom(market.candles({ ...id, interval, size: 10 }));
      // A minute that has just begun has no trade yet, and nobody is told of it.
      const last = kept.findLast(({ volume }) => volume > 0)!;
      const { openTime, open, high, low, close, volume } = last;
      return [interval, [openTime, open, high, low, close, volume]] as const;
    }),
  );
  const { balances } = await firstValueFrom(account.account());
  const open = await firstValueFrom(
    orderLists.list({ ...id, filter: 'unfinished', pageSize: 100 }),
  );
  return {
    lastTradeId: Number(trades.at(-1)!.id),
    orderPushes,
    bids: depth.bids,
    asks: depth.asks,
    candles: Object.fromEntries(candles),
    coins: Object.fromEntries(balances.map((coin) => [coin.currency, String(coin.available)])),
    openOrders: open.map(({ exchangeOrderId }) => exchangeOrderId).toSorted(),
  };
}
