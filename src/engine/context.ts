import { defer, filter, map, merge, type Observable, of, startWith } from 'rxjs';
import type { Balance, LiveOrder, Market, TradingEvent } from '../domain/index.ts';
import { type Bus, type Clock, Decimal, type Logger, type Random } from '../kernel/index.ts';
import type { BalanceLedger, OrderLedger, PositionLedger } from '../ledger/index.ts';
import type { MarketStreams } from '../market/index.ts';
import {
  type Freshness,
  type MarketReference,
  type StrategyContext,
  StrategyError,
} from '../strategy/index.ts';

/** The floors that a strategy looks at through its context. */
export interface ContextSources {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly streams: MarketStreams;
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  readonly positions: PositionLedger;
  /** The present freshness of a market's streams. */
  readonly freshness: (market: string) => readonly Freshness[];
}

/** Who looks: one running strategy. */
export interface ContextIdentity {
  readonly name: string;
  readonly params: unknown;
  readonly markets: readonly Market[];
  readonly random: Random;
}

/** The context of one strategy: views on the bus and the ledgers, and no way to act. */
export function createContext(sources: ContextSources, identity: ContextIdentity): StrategyContext {
  const { bus, streams, orders, balances, positions } = sources;
  const { name, params, markets, random } = identity;
  const first = markets[0]!;

  const idOf = (reference: MarketReference = first): string => {
    const id = typeof reference === 'string' ? reference : reference.id;
    if (markets.some((market) => market.id === id)) return id;
    const own = markets.map((market) => market.id).join(', ');
    throw new StrategyError(`Cannot look at market ${id}: strategy ${name} has ${own}`);
  };

  return {
    name,
    params,
    markets,
    market: first,
    clock: sources.clock,
    random,
    log: (message, fields = {}) => sources.logger.info({ strategy: name, ...fields }, message),
    depth: (market) => streams.depth(idOf(market)),
    ticker: (market) => streams.ticker(idOf(market)),
    trades: (market) => streams.trades(idOf(market)),
    candles: (interval, market) =>
      streams.candles({ market: idOf(market), interval }).pipe(filter((candle) => candle.closed)),
    freshness: (market) => {
      const id = idOf(market);
      return defer(() => merge(of(...sources.freshness(id)), bus.on('freshness', id)));
    },
    position: (market) => {
      const id = idOf(market);
      const changes = bus.on('position', id).pipe(
        filter((event) => event.strategy === name),
        map((event) => event.position),
      );
      return defer(() => changes.pipe(startWith(positions.position(id, name))));
    },
    fills: (market) =>
      bus.on('fill', idOf(market)).pipe(
        map((event) => event.fill),
        filter((fill) => fill.strategy === name),
      ),
    orders: (market) => {
      const id = idOf(market);
      const mine = (): readonly LiveOrder[] => orders.liveOf(name, id);
      const changes = bus.on('order', id).pipe(filter((event) => event.order.strategy === name));
      return defer(() => changes.pipe(map(mine), startWith(mine())));
    },
    balance: (currency) => balanceOf({ bus, balances, currency }),
  };
}

function balanceOf(options: {
  bus: Bus<TradingEvent>;
  balances: BalanceLedger;
  currency: string;
}): Observable<Balance> {
  const { bus, balances, currency } = options;
  const none: Balance = { currency, available: Decimal.ZERO, frozen: Decimal.ZERO };
  const changes = bus.on('balance').pipe(
    filter((event) => event.balances.some((balance) => balance.currency === currency)),
    map(() => balances.get(currency) ?? none),
  );
  return defer(() => changes.pipe(startWith(balances.get(currency) ?? none)));
}
