import { concat, defer, filter, from, map, merge, type Observable, of, startWith } from 'rxjs';
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
import { requireInterval } from './require-interval.ts';
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
  /** What is so now: whoever looks later begins with it. */
  readonly #positions = new Map<string, Position>();
  readonly #balances = new Map<string, Balance>();
  readonly #live = new Map<string, readonly LiveOrder[]>();
  readonly #freshness = new Map<string, Freshness>();
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
    this.#keepUp(options.bus);
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
    requireInterval(interval);
    const id = this.#idOf(market);
    const all = concat(from(this.#options.history), this.#on('candle', market));
    return eachOnce(
      all.pipe(
        filter((candle) => candle.market === id && candle.interval === interval && candle.closed),
      ),
    );
  };

  readonly freshness = (market?: MarketReference): Observable<Freshness> => {
    const id = this.#idOf(market);
    const isOfMarket = (word: Freshness): boolean => word.market === id;
    return defer(() =>
      merge(of(...[...this.#freshness.values()].filter(isOfMarket)), this.#on('freshness', id)),
    );
  };

  readonly position = (market?: MarketReference): Observable<Position> => {
    const id = this.#idOf(market);
    const changes = this.#on('position', id).pipe(map((event) => event.position));
    return defer(() => changes.pipe(startWith(this.#positions.get(id) ?? flatPosition(id))));
  };

  readonly fills = (market?: MarketReference): Observable<Fill> => {
    return this.#on('fill', market).pipe(map((event) => event.fill));
  };

  readonly orders = (market?: MarketReference): Observable<readonly LiveOrder[]> => {
    const id = this.#idOf(market);
    const changes = this.#on('order', id).pipe(map(() => this.#liveIn(id)));
    return defer(() => changes.pipe(startWith(this.#liveIn(id))));
  };

  readonly refusals = (market?: MarketReference): Observable<StrategyRefusal> => {
    const id = this.#idOf(market);
    return this.#refusals.pipe(filter((refusal) => refusal.market === id));
  };

  readonly balance = (currency: string): Observable<Balance> => {
    requireCurrency(currency);
    const none: Balance = { currency, available: Decimal.ZERO, frozen: Decimal.ZERO };
    const changes = this.#options.bus.on('balance').pipe(
      map(({ balances }) => balances.find((balance) => balance.currency === currency)),
      filter((balance) => balance !== undefined),
    );
    return defer(() => changes.pipe(startWith(this.#balances.get(currency) ?? none)));
  };

  readonly log = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    this.#options.onLog(message, fields);
  };

  /** Ahead of all who look, as ledgers are. */
  #keepUp(bus: Bus<ScriptedEvent>): void {
    bus.listen('position', ({ market, position }) => this.#positions.set(market, position));
    bus.listen('order', ({ market, order }) => {
      this.#live.set(market, liveAfter(this.#liveIn(market), order));
    });
    bus.listen('balance', ({ balances }) => {
      for (const balance of balances) this.#balances.set(balance.currency, balance);
    });
    bus.listen('freshness', (word) => this.#freshness.set(`${word.market}/${word.stream}`, word));
  }

  #liveIn(market: string): readonly LiveOrder[] {
    return this.#live.get(market) ?? [];
  }

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
