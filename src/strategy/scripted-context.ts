import { concat, filter, from, map, type Observable, scan, startWith } from 'rxjs';
import {
  type Balance,
  type Candle,
  type Depth,
  type Fill,
  type Interval,
  type LiveOrder,
  liveAfter,
  type Market,
  type Position,
  type Ticker,
  type Trade,
} from '../domain/index.ts';
import { type Bus, type Clock, Decimal, type Random } from '../kernel/index.ts';
import { flatPosition } from '../ledger/index.ts';
import { eachOnce } from '../market/index.ts';
import type { Freshness, MarketReference, StrategyContext, StrategyRefusal } from './context.ts';
import { StrategyError } from './errors.ts';
import { strategyRefusals } from './refusals.ts';
import { requireCurrency } from './require-currency.ts';
import type { ScriptedEvent } from './script.ts';

export interface ScriptedContextOptions<P> {
  readonly name: string;
  readonly params: P;
  readonly markets: readonly [Market, ...Market[]];
  readonly history: readonly Candle[];
  readonly bus: Bus<ScriptedEvent>;
  readonly clock: Clock;
  readonly random: Random;
  readonly onLog: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/**
 * The context of `runStrategy`: everything comes from the script. Its methods may be taken out of it,
 * as in `({ market, depth }) => ...`.
 */
export class ScriptedContext<P> implements StrategyContext<P> {
  readonly #options: ScriptedContextOptions<P>;
  readonly #refusals: Observable<StrategyRefusal>;
  readonly name: string;
  readonly params: P;
  readonly markets: readonly Market[];
  readonly market: Market;
  readonly clock: Clock;
  readonly random: Random;

  constructor(options: ScriptedContextOptions<P>) {
    this.#options = options;
    this.name = options.name;
    this.params = options.params;
    this.markets = options.markets;
    this.market = options.markets[0];
    this.clock = options.clock;
    this.random = options.random;
    this.#refusals = strategyRefusals({
      refusals: options.bus.on('refusal'),
      orders: options.bus.on('order'),
      clock: options.clock,
    });
  }

  readonly depth = (market?: MarketReference): Observable<Depth> => {
    return this.#on('depth', market);
  };

  readonly ticker = (market?: MarketReference): Observable<Ticker> => {
    return this.#on('ticker', market);
  };

  readonly trades = (market?: MarketReference): Observable<Trade> => {
    return this.#on('trade', market);
  };

  readonly candles = (interval: Interval, market?: MarketReference): Observable<Candle> => {
    const id = this.#idOf(market);
    const all = concat(from(this.#options.history), this.#on('candle', market));
    return eachOnce(
      all.pipe(
        filter((candle) => candle.market === id && candle.interval === interval && candle.closed),
      ),
    );
  };

  readonly freshness = (market?: MarketReference): Observable<Freshness> => {
    return this.#on('freshness', market);
  };

  readonly position = (market?: MarketReference): Observable<Position> => {
    return this.#on('position', market).pipe(
      map((event) => event.position),
      startWith(flatPosition(this.#idOf(market))),
    );
  };

  readonly fills = (market?: MarketReference): Observable<Fill> => {
    return this.#on('fill', market).pipe(map((event) => event.fill));
  };

  readonly orders = (market?: MarketReference): Observable<readonly LiveOrder[]> => {
    return this.#on('order', market).pipe(
      scan((live: readonly LiveOrder[], { order }) => liveAfter(live, order), []),
      startWith([]),
    );
  };

  readonly refusals = (market?: MarketReference): Observable<StrategyRefusal> => {
    const id = this.#idOf(market);
    return this.#refusals.pipe(filter((refusal) => refusal.market === id));
  };

  readonly balance = (currency: string): Observable<Balance> => {
    requireCurrency(currency);
    return this.#options.bus.on('balance').pipe(
      map(({ balances }) => balances.find((balance) => balance.currency === currency)),
      filter((balance) => balance !== undefined),
      startWith({ currency, available: Decimal.ZERO, frozen: Decimal.ZERO }),
    );
  };

  readonly log = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    this.#options.onLog(message, fields);
  };

  #on<K extends ScriptedEvent['kind']>(kind: K, market?: MarketReference) {
    return this.#options.bus.on(kind, this.#idOf(market));
  }

  #idOf(market: MarketReference = this.market): string {
    const id = typeof market === 'string' ? market : market.id;
    if (this.markets.some((own) => own.id === id)) return id;
    const own = this.markets.map((each) => each.id).join(', ');
    throw new StrategyError(`Cannot look at market ${id}: strategy ${this.name} has ${own}`);
  }
}
