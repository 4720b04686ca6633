import type { MarketStatus, Status, StrategyEarnings } from '../../src/app/index.ts';
import type { StrategyStatus } from '../../src/app/status/status.ts';
import { whenCancelled } from '../../src/execution/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { flatPosition } from '../../src/ledger/index.ts';
import { makeMarket } from '../domain/fixture.ts';

export const HEADING = {
  ...{ name: 'demo', venue: 'an exchange', runningMs: 12_000 },
  ...{ durationMs: 30_000, isStopping: false, isOver: false },
};

export const NOW_MS = Date.UTC(2024, 0, 31, 18, 2, 3);

export function heartbeatState(
  overrides: Partial<MarketStatus['heartbeat']>,
): MarketStatus['heartbeat'] {
  const { confirmedMs } = overrides;
  const firesMs = confirmedMs === undefined ? undefined : confirmedMs + 60_000;
  return { confirmedMs, firesMs, lapsedMs: undefined, isUnanswered: false, ...overrides };
}

/** A market in which something is held, nothing rests and all is well. */
export function marketStatus(overrides: Partial<MarketStatus> = {}): MarketStatus {
  const { heartbeat = heartbeatState({ confirmedMs: NOW_MS - 7_000 }) } = overrides;
  return {
    market: makeMarket(),
    bid: 59_979.03,
    ask: 60_009.03,
    fresh: true,
    dataAgeMs: 0,
    bids: [],
    asks: [],
    position: { ...flatPosition('btc_usdt'), amount: Decimal.of('0.0042') },
    ...{ unowned: [], entryPrice: Decimal.of('59900.1'), runFees: Decimal.of('0.1') },
    ...{ profit: Decimal.of('0.45'), runProfit: overrides.profit ?? Decimal.of('0.45') },
    ...{ hasPast: false, ofStrategies: [] },
    ...{ heartbeat, whenCancelled: whenCancelled(heartbeat.firesMs, NOW_MS) },
    blackoutUntil: undefined,
    ...overrides,
  };
}

/** What a strategy has come to there. */
export function earnings(
  strategy: string,
  overrides: Partial<StrategyEarnings> = {},
): StrategyEarnings {
  return {
    ...{ strategy, isTrading: true, position: flatPosition('btc_usdt'), entryPrice: undefined },
    ...{ profit: Decimal.ZERO, runProfit: Decimal.ZERO, runFees: Decimal.ZERO },
    ...overrides,
  };
}

export function strategyStatus(overrides: Partial<StrategyStatus> = {}): StrategyStatus {
  return {
    name: 'maker',
    status: 'started',
    reason: '',
    wishes: 7,
    books: 60,
    candles: 0,
    ...overrides,
  };
}

/** A run of one market and one strategy in which all is well. */
export function status(overrides: Partial<Status> = {}): Status {
  return {
    nowMs: NOW_MS,
    markets: [marketStatus()],
    strategies: [strategyStatus()],
    trading: { state: 'ACTIVE', reason: '' },
    tally: {
      ...{ orders: 32, fills: 1, heartbeats: 1, lapses: 0, cancelled: 23, rejected: 0 },
      ...{ requests: 60, requestFailures: 0, gaps: 0, stale: 0, refusals: new Map() },
      ...{ wishes: new Map(), books: new Map(), candles: new Map(), rejections: new Map() },
    },
    rejected: undefined,
    requests: {
      lastSecond: 3,
      requestsPerSecond: 60,
      lastMinute: 1_059,
      requestsPerMinute: 10_000,
    } as Status['requests'],
    limits: new Map(),
    unreadable: [],
    ...overrides,
  };
}
