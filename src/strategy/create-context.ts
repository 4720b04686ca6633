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

/** What a strategy sees of the lower floors through its context. */
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

/** The running strategy that the context belongs to. */
export interface ContextIdentity<P> {
  readonly name: string;
  readonly params: P;
  readonly markets: readonly Market[];
  readonly random: Random;
  /** The refusals of its wishes, in all markets. */
  readonly refusals: Observable<StrategyRefusal>;
  readonly log: StrategyContext['log'];
  /** Whether an event that names this strategy is its own. Default: if it is the same name. */
  readonly isOwn?: (strategy: string) => boolean;
}

/** The arguments that may name a market; without any the first market is meant. */
type Asked = readonly [market?: MarketReference | undefined, ...unknown[]];

/**
 * The context of one strategy: views on the bus and the ledgers, and no way to act.
 *
 * Changes come from events only, never from a ledger, which may be ahead of them: so the events
 * hold all that a strategy saw.
 */
export function createContext<P>(
  sources: ContextSources,
  identity: ContextIdentity<P>,
): StrategyContext<P> {
  const { bus, streams, orders, positions } = sources;
  const { name, params, markets, random, refusals, log } = identity;
  const { isOwn = (strategy) => strategy === name } = identity;
  const idOf = idsOf(identity);

  return {
    name,
    params,
    markets,
    market: markets[0]!,
    clock: sources.clock,
    random,
    log,
    depth: (...asked) => streams.depth(idOf(asked)),
    ticker: (...asked) => streams.ticker(idOf(asked)),
    trades: (...asked) => streams.trades(idOf(asked)),
    candles: (interval, ...asked) => {
      requireInterval(interval);
      return eachOnce(streams.candles({ market: idOf(asked), interval }));
    },
    freshness: (...asked) => {
      const id = idOf(asked);
      return defer(() => merge(of(...sources.freshness(id)), bus.on('freshness', id)));
    },
    position: (...asked) => {
      const id = idOf(asked);
      const changes = bus.on('position', id).pipe(
        filter((event) => isOwn(event.strategy)),
        map((event) => event.position),
      );
      return defer(() => changes.pipe(startWith(positions.position(id, name))));
    },
    fills: (...asked) =>
      bus.on('fill', idOf(asked)).pipe(
        map((event) => event.fill),
        filter((fill) => isOwn(fill.strategy)),
      ),
    orders: (...asked) => {
      const id = idOf(asked);
      const changes = bus.on('order', id).pipe(filter((event) => isOwn(event.order.strategy)));
      return defer(() => {
        const now = orders.liveOf(name, id);
        return changes.pipe(
          scan((live, { order }) => liveAfter(live, order), now),
          startWith(now),
        );
      });
    },
    refusals: (...asked) => {
      const id = idOf(asked);
      return refusals.pipe(filter((refusal) => refusal.market === id));
    },
    balance: (currency) => {
      requireCurrency(currency);
      return balanceOf(sources, currency);
    },
  };
}

/** Makes a function that resolves the market asked for, and throws if it is not the strategy's. */
function idsOf({ name, markets }: Pick<ContextIdentity<unknown>, 'name' | 'markets'>) {
  const own = markets.map(({ id }) => id).join(', ');
  return (asked: Asked): string => {
    const [reference] = asked;
    if (reference === undefined) {
      if (asked.length === 0) return markets[0]!.id;
      // As from `markets[1]` of a strategy with one market, which did not mean the first.
      throw new StrategyError(`Cannot look at a market: it is undefined, one of ${own} is wanted`);
    }
    const id = typeof reference === 'string' ? reference : reference.id;
    if (markets.some((market) => market.id === id)) return id;
    throw new StrategyError(`Cannot look at market ${id}: strategy ${name} has ${own}`);
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
 * Refuses an unknown interval, for which no candle would ever come. Strategies may be JavaScript.
 *
 * @throws {StrategyError} when it is none of `INTERVALS`.
 */
function requireInterval(interval: Interval): void {
  if (INTERVALS.includes(interval)) return;
  const wanted = `one of ${INTERVALS.join(', ')} is wanted`;
  throw new StrategyError(`Cannot look at candles of "${interval}": ${wanted}`);
}

/**
 * Refuses a currency that is not in lower case, as accounts name it: its balance would stay zero.
 *
 * @throws {StrategyError} when it is not in lower case, or no text. Strategies may be JavaScript.
 */
function requireCurrency(currency: unknown): void {
  const name = typeof currency === 'string' ? currency.toLowerCase() : undefined;
  if (name === currency) return;
  const shown = JSON.stringify(currency);
  const wanted = name ?? 'a name such as usdt';
  throw new StrategyError(`Cannot look at the balance of ${shown}: ${wanted} is wanted`);
}
