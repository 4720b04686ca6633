import { of, Subject, throwError } from 'rxjs';
import type {
  Amount,
  Balance,
  Candle,
  Depth,
  Market,
  OrderRecord,
  Price,
  Ticker,
  Trade,
} from '../../../../src/domain/index.ts';
import {
  type AccountFeedPort,
  type BalancePush,
  CONTRACT_LIMITS,
  ExchangeFailure,
  type ExchangeHost,
  type FullExchange,
  type FundsPort,
  type MarginPort,
  type MarketDataPort,
  type MarketFeedPort,
  type OrderListsPort,
  type OrderPush,
  type TradingPort,
} from '../../../../src/exchange/index.ts';
import { Decimal, type Logger, VirtualClock } from '../../../../src/kernel/index.ts';
import {
  type KeySettings,
  type PushConnection,
  type ZbServerOptions,
  zbServer,
} from '../../../../src/venues/zb/server/index.ts';
import {
  signatureOf,
  signedFrameText,
  signedText,
  signingKeyOf,
} from '../../../../src/venues/zb/wire/signing.ts';
import { makeRecord } from '../../../domain/fixture.ts';
import { fakeFunds, fakeMargin, fakeOrderLists } from './funds-fixture.ts';
import { BTC_USDT, CANDLE, DEPTH, SHIB_BTC, START_MS, TICKER, TRADE } from './samples.ts';

export { BTC_USDT, CANDLE, DEPTH, SHIB_BTC, START_MS, TICKER, TRADE };
export const ADDRESS = '10.0.0.1';

export const BALANCES: readonly Balance[] = [
  { currency: 'btc', available: Decimal.of('1.50000001'), frozen: Decimal.of('0.5') },
  { currency: 'usdt', available: Decimal.of('1000'), frozen: Decimal.ZERO },
];

/** An order as the host shows it: untouched, resting, buy 0.0006 at 30000. */
export function orderRecord(changes: Partial<OrderRecord> = {}): OrderRecord {
  return makeRecord({
    ...{ exchangeOrderId: '202202224851151555', price: 30_000 as Price, amount: 0.0006 as Amount },
    ...{ filledValue: Decimal.ZERO, exchangeTime: 1_645_610_254_524 },
    ...changes,
  });
}

export const KEY: KeySettings = {
  accessKey: 'ce2a18e0-dshs-4c44-4515-9aca67dd706e',
  secretKey: 'c11a122s-dshs-shsa-4515-954a67dd706e',
  account: 'main',
  permissions: { assets: true, orders: true, withdrawals: false, margin: false },
};

/** A key with every permission. */
export const FULL_KEY: KeySettings = {
  ...KEY,
  permissions: { assets: true, orders: true, withdrawals: true, margin: true },
};

/** A call that reached the host. */
export interface HostCall {
  readonly name: string;
  readonly argument: unknown;
}

/** What a test may change of the host's answers. */
export interface HostChanges {
  readonly balances?: readonly Balance[];
  readonly markets?: readonly Market[];
  readonly market?: Partial<MarketDataPort>;
  readonly trading?: Partial<TradingPort>;
  readonly funds?: Partial<FundsPort>;
  readonly orderLists?: Partial<OrderListsPort>;
  readonly margin?: Partial<MarginPort>;
  readonly accountFeed?: Partial<AccountFeedPort>;
}

/** A host that answers at once, records its calls, and pushes what a test hands it. */
export function fakeHost(changes: HostChanges = {}) {
  const calls: HostCall[] = [];
  const feeds = {
    ticker: new Subject<Ticker>(),
    depth: new Subject<Depth>(),
    trades: new Subject<readonly Trade[]>(),
    candles: new Subject<Candle>(),
    orders: new Subject<OrderPush>(),
    balances: new Subject<BalancePush>(),
    crossBalances: new Subject<BalancePush>(),
  };
  const noted = <T extends object>(port: T): T =>
    Object.fromEntries(
      Object.entries(port).map(([name, call]) => [
        name,
        (argument: unknown) => {
          calls.push({ name, argument });
          return call(argument);
        },
      ]),
    ) as T;
  const exchange: FullExchange = {
    market: fakeMarket(changes),
    trading: noted(fakeTrading(changes)),
    funds: noted(fakeFunds(changes.funds)),
    orderLists: noted(fakeOrderLists([orderRecord()], changes.orderLists)),
    margin: noted(fakeMargin(changes.margin)),
    account: {
      account: () =>
        of({
          balances: changes.balances ?? BALANCES,
          permissions: { assets: true, orders: true, withdrawals: true, margin: false },
        }),
    },
    marketFeed: fakeFeed(feeds),
    accountFeed: {
      connection: () => of({ connected: true, reason: '' }),
      orders: () => feeds.orders,
      balances: () => feeds.balances,
      crossBalances: () => feeds.crossBalances,
      ...changes.accountFeed,
    },
    limits: CONTRACT_LIMITS,
  };
  const host: ExchangeHost = {
    market: noted(exchange.market),
    marketFeed: exchange.marketFeed,
    account: (name) => (name === 'main' ? exchange : undefined),
  };
  const called = (name: string) =>
    calls.filter((call) => call.name === name).map(({ argument }) => argument);
  return { host, feeds, called };
}

function fakeMarket({ markets = [BTC_USDT, SHIB_BTC], market }: HostChanges): MarketDataPort {
  return {
    markets: () => of(markets),
    ticker: () => of(TICKER),
    tickers: () => of([TICKER]),
    depth: () => of(DEPTH),
    trades: () => of([TRADE]),
    candles: () => of([CANDLE]),
    ...market,
  };
}

function fakeTrading({ trading }: HostChanges): TradingPort {
  return {
    place: () => of({ exchangeOrderId: '202202224851151555' }),
    placeBatch: ({ orders }) =>
      of({ exchangeOrderIds: orders.map((_, at) => `20220222485115155${at}`) }),
    cancel: () =>
      of({
        amount: 0.0006 as Amount,
        price: 30_000 as Price,
        filledAmount: 0.0002 as Amount,
        filledValue: Decimal.of(6),
      }),
    cancelAllAfter: () => of(undefined),
    order: () => of(orderRecord()),
    orders: () => of([orderRecord()]),
    ...trading,
  };
}

function fakeFeed(feeds: {
  ticker: Subject<Ticker>;
  depth: Subject<Depth>;
  trades: Subject<readonly Trade[]>;
  candles: Subject<Candle>;
}): MarketFeedPort {
  return {
    connection: () => of({ connected: true, reason: '' }),
    ticker: () => feeds.ticker,
    depth: () => feeds.depth,
    trades: () => feeds.trades,
    candles: () => feeds.candles,
  };
}

/** A call that the exchange refuses. */
export function refusing(code: number, message = 'no') {
  return () => throwError(() => new ExchangeFailure('rejected', message, { code }));
}

/** A logger that keeps what it is told. */
export function keepingLogger() {
  const lines: { level: string; message: string; fields: object }[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields });
  };
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
  return { logger, lines };
}

/** In what a signed request may differ from a good one. */
export interface SigningChanges {
  readonly accessKey?: string;
  readonly secretKey?: string;
  readonly reqTime?: string;
  readonly sign?: string;
  /** Default: the operation's name. */
  readonly method?: string;
}

/** The target of a signed request. */
export function signedTarget(
  name: string,
  parameters: Readonly<Record<string, string>>,
  changes: SigningChanges & { readonly nowMs?: number } = {},
): string {
  const { accessKey = KEY.accessKey, secretKey = KEY.secretKey, nowMs = START_MS } = changes;
  const values = { ...parameters, accesskey: accessKey, method: changes.method ?? name };
  const sign = changes.sign ?? signatureOf(signingKeyOf(secretKey), signedText(values));
  const all = { ...values, sign, reqTime: changes.reqTime ?? String(nowMs) };
  const query = Object.entries(all).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  );
  return `/api/${name}?${query.join('&')}`;
}

/** The good parameters of an order. */
export const ORDER = { currency: 'btc_usdt', tradeType: '1', price: '30000.0', amount: '0.0006' };

/** The wire over a fake host on a virtual clock. */
export function serverFixture(
  options: HostChanges & Partial<Omit<ZbServerOptions, 'host' | 'clock' | 'logger'>> = {},
) {
  const clock = new VirtualClock(START_MS);
  const { host, feeds, called } = fakeHost(options);
  const { logger, lines } = keepingLogger();
  const { keys = [KEY], dialect, limits, push, wireClock } = options;
  const server = zbServer({ host, keys, clock, wireClock, logger, dialect, limits, push });
  const askText = (target: string, request: { address?: string; userAgent?: string } = {}) => {
    const bodies: string[] = [];
    const { address = ADDRESS, userAgent = 'Mozilla/5.0' } = request;
    server.handle({ target, address, userAgent }).subscribe(({ status, body }) => {
      if (status !== 200) throw new Error(`status ${status}`);
      bodies.push(body);
    });
    if (bodies.length !== 1) throw new Error(`${bodies.length} answers to ${target}`);
    return bodies[0]!;
  };
  const ask = (target: string, request?: { address?: string; userAgent?: string }) =>
    JSON.parse(askText(target, request));
  return {
    server,
    clock,
    feeds,
    called,
    lines,
    ask,
    askText,
    /** Sends a signed request, timed by the fixture's clock. */
    call: (
      name: string,
      parameters: Readonly<Record<string, string>> = {},
      changes: SigningChanges & { address?: string } = {},
    ) =>
      ask(signedTarget(name, parameters, { nowMs: clock.now(), ...changes }), {
        address: changes.address ?? ADDRESS,
      }),
  };
}

/** A connection that keeps the frames sent to it. */
export function fakeConnection() {
  const frames: string[] = [];
  const state = { closed: false, bufferedBytes: 0 };
  const connection: PushConnection = {
    send(text) {
      if (state.closed) throw new Error('sent after close');
      frames.push(text);
    },
    pong(data) {
      frames.push(`pong ${data}`);
    },
    close() {
      state.closed = true;
    },
    get bufferedBytes() {
      return state.bufferedBytes;
    },
  };
  return { connection, frames, state };
}

/** A session on the wire of a server fixture. */
export function sessionFixture(options: Parameters<typeof serverFixture>[0] = {}) {
  const fixture = serverFixture(options);
  const open = (address = ADDRESS) => {
    const { connection, frames, state } = fakeConnection();
    const session = fixture.server.open(connection, address);
    const say = (fields: object) => session.receive(JSON.stringify(fields));
    return {
      session,
      frames,
      state,
      say,
      add: (channel: string, fields: object = {}) =>
        say({ event: 'addChannel', channel, ...fields }),
      remove: (channel: string) => say({ event: 'removeChannel', channel }),
      /** The frames since the last look, parsed. */
      heard: () => frames.splice(0).map((frame) => JSON.parse(frame)),
    };
  };
  return { ...fixture, ...open(), open };
}

/** A private subscription, signed. */
export function signedFrame(
  channel: string,
  {
    market,
    no,
    secretKey = KEY.secretKey,
    accessKey = KEY.accessKey,
  }: { market?: string; no?: string; secretKey?: string; accessKey?: string } = {},
) {
  const fields = {
    event: 'addChannel',
    channel,
    accesskey: accessKey,
    ...(market === undefined ? {} : { market }),
    ...(no === undefined ? {} : { no }),
  };
  return { ...fields, sign: signatureOf(signingKeyOf(secretKey), signedFrameText(fields)) };
}
