import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { defer, delay, EMPTY, Observable, of, Subject, throwError } from 'rxjs';
import { clockOf } from '../../src/app/time/system-clock.ts';
import {
  type Candle,
  compareIds,
  type Depth,
  intervalStart,
  type Market,
  type Ticker,
  type Trade,
  type TradingEvent,
} from '../../src/domain/index.ts';
import {
  type Connection,
  ExchangeFailure,
  type MarketDataPort,
  type MarketFeedPort,
} from '../../src/exchange/index.ts';
import {
  Bus,
  type Clock,
  type Logger,
  MINUTE_MS,
  silentLogger,
  VirtualClock,
} from '../../src/kernel/index.ts';
import { MarketStreams, marketConfigSchema } from '../../src/market/index.ts';
import { makeMarket, ofKind } from '../domain/fixture.ts';
import { dataFile } from '../recordings.ts';

/** A Monday at midnight, so that every interval begins there. */
export const START_MS = Date.UTC(2024, 0, 1);
export const MARKET = 'btc_usdt';

export const btcUsdt = makeMarket({ minSize: 5 });

export function tickerOf(overrides: Partial<Ticker> = {}): Ticker {
  return {
    market: MARKET,
    bid: 100,
    ask: 101,
    last: 100.5,
    open: 99,
    high: 102,
    low: 98,
    volume: 10,
    change: 0.01,
    exchangeTime: START_MS,
    receivedTime: START_MS,
    ...overrides,
  };
}

export function depthOf(overrides: Partial<Depth> = {}): Depth {
  return {
    market: MARKET,
    bids: [[100, 1]],
    asks: [[101, 1]],
    exchangeTime: START_MS,
    receivedTime: START_MS,
    ...overrides,
  };
}

export function tradeOf(id: number | string, overrides: Partial<Trade> = {}): Trade {
  return {
    market: MARKET,
    id: String(id),
    price: 100,
    amount: 1,
    side: 'buy',
    exchangeTime: START_MS,
    receivedTime: START_MS,
    ...overrides,
  };
}

export function candleOf(openTime: number, overrides: Partial<Candle> = {}): Candle {
  return {
    market: MARKET,
    interval: '1min',
    openTime,
    open: 100,
    high: 101,
    low: 99,
    close: 100,
    volume: 1,
    closed: true,
    exchangeTime: openTime + 60_000,
    receivedTime: openTime + 60_000,
    ...overrides,
  };
}

/** The minutes of a tape as a venue gives them: none where nothing traded. */
export function venueCandles(tape: readonly Trade[], nowMs: number): Candle[] {
  const groups = Map.groupBy(tape, ({ exchangeTime }) => intervalStart(exchangeTime, '1min'));
  return [...groups].map(([openTime, group]) => {
    const prices = group.map(({ price }) => price);
    const volume = group.reduce((sum, { amount }) => sum + amount, 0);
    return candleOf(openTime, {
      ...{ open: prices[0]!, high: Math.max(...prices), low: Math.min(...prices) },
      ...{ close: prices.at(-1)!, volume, closed: openTime + MINUTE_MS <= nowMs },
    });
  });
}

/** What the fake venue holds and how it behaves; tests change it as they go. */
export interface Script {
  ticker: (market: string) => Ticker;
  depth: (market: string) => Depth;
  /** The whole tape, by id. */
  tape: Trade[];
  /** How many of the tape's newest trades the venue still keeps. */
  kept: number;
  pageSize: number;
  candles: (query: Parameters<MarketDataPort['candles']>[0]) => readonly Candle[];
  /** Milliseconds from request to answer; 0 answers at once. */
  latencyMs: number;
  /** The failure of every request, if it is set. */
  failure: ExchangeFailure | undefined;
}

export interface Request {
  readonly kind: 'ticker' | 'depth' | 'trades' | 'candles';
  readonly time: number;
  readonly since?: string | number;
}

/** A venue that answers by script and pushes what it is told to. */
export class FakeVenue {
  readonly requests: Request[] = [];
  readonly #clock: VirtualClock;
  readonly script: Script;
  readonly pushes = {
    connection: new Subject<Connection>(),
    ticker: new Subject<Ticker>(),
    depth: new Subject<Depth>(),
    trades: new Subject<readonly Trade[]>(),
    candles: new Subject<Candle>(),
  };
  connected = true;

  constructor(clock: VirtualClock, script: Partial<Script> = {}) {
    this.#clock = clock;
    const stamps = () => ({ exchangeTime: clock.now(), receivedTime: clock.now() });
    this.script = {
      ticker: () => tickerOf(stamps()),
      depth: () => depthOf(stamps()),
      tape: [],
      kept: Number.POSITIVE_INFINITY,
      pageSize: 50,
      candles: () => [],
      latencyMs: 0,
      failure: undefined,
      ...script,
    };
  }

  readonly data: MarketDataPort = {
    markets: () => of([btcUsdt]),
    tickers: () => EMPTY,
    ticker: (market) => this.#answer({ kind: 'ticker' }, () => this.script.ticker(market)),
    depth: ({ market }) => this.#answer({ kind: 'depth' }, () => this.script.depth(market)),
    trades: ({ since }) =>
      this.#answer({ kind: 'trades', ...(since === undefined ? {} : { since }) }, () =>
        this.page(since),
      ),
    candles: (query) =>
      this.#answer(
        { kind: 'candles', ...(query.since === undefined ? {} : { since: query.since }) },
        () => this.script.candles(query),
      ),
  };

  readonly feed: MarketFeedPort = {
    connection: () =>
      new Observable((subscriber) => {
        subscriber.next({ connected: this.connected, reason: 'now' });
        return this.pushes.connection.subscribe(subscriber);
      }),
    ticker: () => this.pushes.ticker,
    depth: () => this.pushes.depth,
    trades: () => this.pushes.trades,
    candles: () => this.pushes.candles,
  };

  /** The page of trades that the venue gives now. */
  page(since?: string): readonly Trade[] {
    const { tape, kept, pageSize } = this.script;
    const held = Number.isFinite(kept) ? tape.slice(-kept) : tape;
    if (since === undefined) return held.slice(-pageSize);
    return held.filter((trade) => compareIds(trade.id, since) > 0).slice(0, pageSize);
  }

  connect(connected: boolean, reason = 'told so'): void {
    this.connected = connected;
    this.pushes.connection.next({ connected, reason });
  }

  timesOf(kind: Request['kind']): number[] {
    return this.requests.filter((request) => request.kind === kind).map(({ time }) => time);
  }

  #answer<T>(request: Omit<Request, 'time'>, answer: () => T): Observable<T> {
    return defer(() => {
      this.requests.push({ ...request, time: this.#clock.now() });
      const { failure, latencyMs } = this.script;
      const outcome = failure === undefined ? of(answer()) : throwError(() => failure);
      if (latencyMs === 0) return outcome;
      if (failure !== undefined) {
        return new Observable<T>((subscriber) =>
          this.#clock.schedule(() => subscriber.error(failure), latencyMs),
        );
      }
      return outcome.pipe(delay(latencyMs, this.#clock));
    });
  }
}

export const noAnswer = new ExchangeFailure('unknown', 'Cannot tell the outcome: no answer');

export interface FixtureOptions {
  readonly config?: Parameters<typeof marketConfigSchema.parse>[0];
  readonly script?: Partial<Script>;
  readonly feed?: boolean;
  readonly markets?: readonly Market[];
  readonly startMs?: number;
  readonly logger?: Logger;
  /** How far the machine's date is ahead of the venue's at any time, milliseconds. Default: 0. */
  readonly aheadMs?: () => number;
}

/** The clock of a machine whose date may be wrong, over one that is right. */
export function machineClock(clock: VirtualClock, aheadMs: () => number): Clock {
  const startAheadMs = aheadMs();
  const time = clockOf({
    wall: () => clock.now() + aheadMs(),
    monotonic: () => clock.now() + startAheadMs,
  });
  return { ...time, schedule: clock.schedule.bind(clock) };
}

/** Streams over a fake venue on a virtual clock, with everything that the bus carried. */
export function marketFixture(options: FixtureOptions = {}) {
  const { feed = false, markets = [btcUsdt], startMs = START_MS, script = {} } = options;
  const clock = new VirtualClock(startMs);
  const bus = new Bus<TradingEvent>();
  const venue = new FakeVenue(clock, script);
  const config = marketConfigSchema.parse(options.config ?? {});
  const events: TradingEvent[] = [];
  bus.record((event) => events.push(event));
  const { aheadMs } = options;
  const streams = new MarketStreams({
    clock: aheadMs === undefined ? clock : machineClock(clock, aheadMs),
    bus,
    data: venue.data,
    feed: feed ? venue.feed : undefined,
    markets: new Map(markets.map((market) => [market.id, market])),
    config,
    logger: options.logger ?? silentLogger,
  });
  const of = <K extends TradingEvent['kind']>(kind: K) => ofKind(events, kind);
  return { clock, bus, venue, config, events, streams, of };
}

export function idsOf(trades: readonly Trade[]): string[] {
  return trades.map((trade) => trade.id);
}

/** Two days of real trades, undefined where the shared data is absent. */
export function realTrades(): Trade[] | undefined {
  const file = dataFile('trades/XRP_ETH-trades.json.gz');
  if (file === undefined) return undefined;
  type Row = [time: number, id: string, type: null, side: 'buy' | 'sell', ...numbers: number[]];
  const rows = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Row[];
  return rows.map(([exchangeTime, id, , side, price = 0, amount = 0]) =>
    tradeOf(id, { exchangeTime, receivedTime: exchangeTime, side, price, amount }),
  );
}
