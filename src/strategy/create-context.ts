import { defer, filter, map, merge, type Observable, of, scan, startWith } from 'rxjs';
import {
  type Balance,
  INTERVALS,
  type Interval,
  liveAfter,
  type Market,
  type TradingEvent,
} from '../domain/index.ts';
import { type Bus, type Clock, Decimal, type Random } from '../kernel/index.ts';
import type { BalanceLedger, OrderLedger, PositionLedger } from '../ledger/index.ts';
import { eachOnce, type StreamsPort } from '../market/index.ts';
import type { Freshness, MarketReference, StrategyContext, StrategyRefusal } from './context.ts';
import { StrategyError } from './errors.ts';

/** The floors that a strategy looks at through its context. */
export interface ContextSources {
  readonly bus: Bus<TradingEvent>;
  readonly clock: Clock;
  readonly streams: Pick<StreamsPort, 'ticker' | 'depth' | 'trades' | 'candles'>;
  readonly orders: Pick<OrderLedger, 'liveOf'>;
  readonly balances: Pick<BalanceLedger, 'get'>;
  readonly positions: Pick<PositionLedger, 'position'>;
  /** The present freshness of a market's streams. */
  readonly freshness: (market: string) => readonly Freshness[];
}

/** Who looks: one running strategy. */
export interface ContextIdentity<P> {
  readonly name: string;
  readonly params: P;
  readonly markets: readonly Market[];
  readonly random: Random;
  /** The refusals of its wishes, in all markets. */
  readonly refusals: Observable<StrategyRefusal>;
  readonly log: StrategyContext['log'];
  /** Whether what is told of a strategy is its own. Default: what bears its name. */
  readonly isOwn?: (strategy: string) => boolean;
}

/**
 * The context of one strategy: views on the bus and the ledgers, and no way to act.
 *
 * What changes is told by the events alone, never by a ledger that may be ahead of them: whoever
 * has the events has all that a strategy saw.
 */
export function createContext<P>(
  sources: ContextSources,
  identity: ContextIdentity<P>,
): StrategyContext<P> {
  const { bus, streams, orders, positions } = sources;
  const { name, params, markets, random, refusals, log } = identity;
  const { isOwn = (strategy) => strategy === name } = identity;
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
    log,
    depth: (market) => streams.depth(idOf(market)),
    ticker: (market) => streams.ticker(idOf(market)),
    trades: (market) => streams.trades(idOf(market)),
    candles: (interval, market) => {
      requireInterval(interval);
      return eachOnce(streams.candles({ market: idOf(market), interval }));
    },
    freshness: (market) => {
      const id = idOf(market);
      return defer(() => merge(of(...sources.freshness(id)), bus.on('freshness', id)));
    },
    position: (market) => {
      const id = idOf(market);
      const changes = bus.on('position', id).pipe(
        filter((event) => isOwn(event.strategy)),
        map((event) => event.position),
      );
      return defer(() => changes.pipe(startWith(positions.position(id, name))));
    },
    fills: (market) =>
      bus.on('fill', idOf(market)).pipe(
        map((event) => event.fill),
        filter((fill) => isOwn(fill.strategy)),
      ),
    orders: (market) => {
      const id = idOf(market);
      const changes = bus.on('order', id).pipe(filter((event) => isOwn(event.order.strategy)));
      return defer(() => {
        const now = orders.liveOf(name, id);
        return changes.pipe(
          scan((live, { order }) => liveAfter(live, order), now),
          startWith(now),
        );
      });
    },
    refusals: (market) => {
      const id = idOf(market);
      return refusals.pipe(filter((refusal) => refusal.market === id));
    },
    balance: (currency) => {
      requireCurrency(currency);
      return balanceOf(sources, currency);
    },
  };
}

function balanceOf({ bus, balances }: ContextSources, currency: string): Observable<Balance> {
  const none: Balance = { currency, available: Decimal.ZERO, frozen: Decimal.ZERO };
  const changes = bus.on('balance').pipe(
    map((event) => event.balances.find((balance) => balance.currency === currency)),
    filter((balance) => balance !== undefined),
  );
  return defer(() => changes.pipe(startWith(balances.get(currency) ?? none)));
}

/**
 * Of another length no candle would ever come, without a word.
 *
 * @throws {StrategyError} when it is none. Strategies may be JavaScript.
 */
function requireInterval(interval: Interval): void {
  if (INTERVALS.includes(interval)) return;
  const wanted = `one of ${INTERVALS.join(', ')} is wanted`;
  throw new StrategyError(`Cannot look at candles of "${interval}": ${wanted}`);
}

/**
 * A currency as accounts name it, in lower case: of another a balance would stay zero without a word.
 *
 * @throws {StrategyError} when it is none. Strategies may be JavaScript.
 */
function requireCurrency(currency: unknown): void {
  const name = typeof currency === 'string' ? currency.toLowerCase() : undefined;
  if (name === currency) return;
  const shown = JSON.stringify(currency);
  const wanted = name ?? 'a name such as usdt';
  throw new StrategyError(`Cannot look at the balance of ${shown}: ${wanted} is wanted`);
}
