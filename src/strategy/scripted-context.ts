import { concat, filter, from } from 'rxjs';
import {
  type Balance,
  type Candle,
  type LiveOrder,
  liveAfter,
  type Market,
  type Position,
  type TradingEvent,
} from '../domain/index.ts';
import type { Bus, Clock, Random } from '../kernel/index.ts';
import { flatPosition } from '../ledger/index.ts';
import type { StrategyContext } from './context.ts';
import { type ContextSources, createContext } from './create-context.ts';
import { FreshnessBoard } from './freshness-board.ts';
import { strategyRefusals } from './refusals.ts';

export interface ScriptedContextOptions<P> {
  readonly name: string;
  readonly params: P;
  readonly markets: readonly Market[];
  readonly history: readonly Candle[];
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onLog: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** The context of `runStrategy`: everything comes from the script, whose orders are all its own. */
export function scriptedContext<P>(options: ScriptedContextOptions<P>): StrategyContext<P> {
  const { bus, clock, history, onLog, ...identity } = options;
  return createContext(sourcesOf({ bus, clock, history }), {
    ...identity,
    refusals: strategyRefusals({ refusals: bus.on('refusal'), orders: bus.on('order'), clock }),
    log: (message, fields = {}) => onLog(message, fields),
    isOwn: () => true,
  });
}

/** Keeps the present state, as the ledgers do, so that a late subscriber begins with it. */
function sourcesOf({
  bus,
  clock,
  history,
}: Pick<ScriptedContextOptions<unknown>, 'bus' | 'clock' | 'history'>): ContextSources {
  const positions = new Map<string, Position>();
  const balances = new Map<string, Balance>();
  const live = new Map<string, readonly LiveOrder[]>();
  const liveIn = (market: string) => live.get(market) ?? [];
  const freshness = new FreshnessBoard(bus);
  bus.listen('position', ({ market, position }) => positions.set(market, position));
  bus.listen('order', ({ market, order }) => live.set(market, liveAfter(liveIn(market), order)));
  bus.listen('balance', (told) => {
    for (const balance of told.balances) balances.set(balance.currency, balance);
  });
  return {
    bus,
    clock,
    streams: {
      ticker: (market) => bus.on('ticker', market),
      depth: (market) => bus.on('depth', market),
      trades: (market) => bus.on('trade', market),
      candles: ({ market, interval }) =>
        concat(from(history), bus.on('candle', market)).pipe(
          filter((one) => one.market === market && one.interval === interval && one.closed),
        ),
    },
    orders: { liveOf: (_strategy, market) => liveIn(market) },
    balances,
    positions: { position: (market) => positions.get(market) ?? flatPosition(market) },
    freshness: (market) => freshness.of(market),
  };
}
