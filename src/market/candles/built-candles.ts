import { filter, type Observable, Subscription } from 'rxjs';
import {
  type Candle,
  INTERVAL_MS,
  type Interval,
  type Market,
  type Trade,
} from '../../domain/index.ts';
import type { Poller } from '../poller.ts';
import { type Source, type SourceContext, sourcePoller } from '../source.ts';
import { Staleness } from '../staleness.ts';
import { type Bar, closedCandle, fillHoles } from './candle-builder.ts';
import { CandleCloser } from './candle-closer.ts';
import { CandleOutbox } from './candle-outbox.ts';

export interface BuiltCandlesOptions {
  readonly market: Market;
  readonly interval: Interval;
  readonly trades: Observable<Trade>;
  /** The time until which all trades have been published, by the market's clock. */
  readonly readUntil: () => number;
}

/**
 * Candles built from the trades on the bus, after a history read once from the venue.
 *
 * A candle closes with the first trade after it, or `candleGraceMs` after its end provided that
 * the trades have been read that far: an outage delays candles and does not make flat ones. The
 * candle in which the tape begins, and those that a gap of the tape touches, are read from the
 * venue when they close. A late trade for the last closed candle publishes it again, revised.
 */
export class BuiltCandles implements Source {
  readonly #context: SourceContext;
  readonly #options: BuiltCandlesOptions;
  readonly #history: Poller<readonly Candle[]>;
  readonly #outbox: CandleOutbox;
  readonly #staleness: Staleness;
  #closer: CandleCloser;
  #subscription = new Subscription();
  /** Trades that came before the history; undefined once it is published. */
  #early: Trade[] | undefined;
  /** The time from which on every trade was seen; undefined at first, and again after a gap. */
  #completeFrom: number | undefined;
  /** When the newest gap was published, by the market's clock. */
  #gapTime = Number.NEGATIVE_INFINITY;

  constructor(context: SourceContext, options: BuiltCandlesOptions) {
    const { bus, candleRequests, clock, config, data } = context;
    const { interval } = options;
    const market = options.market.id;
    this.#context = context;
    this.#options = options;
    this.#closer = this.#newCloser();
    this.#outbox = new CandleOutbox(context, {
      market,
      interval,
      publish: (bar) => this.#publish(bar),
    });
    this.#staleness = new Staleness({
      clock,
      bus,
      market,
      stream: 'candle',
      limitMs: INTERVAL_MS[interval] + config.staleAfterMs.candles,
    });
    const query = { market, interval, size: config.candleHistory + 1 };
    this.#history = sourcePoller<readonly Candle[]>(context, {
      subject: `${interval} candles of ${market}`,
      intervalMs: config.candlesPollMs,
      queued: true,
      request: () => candleRequests.run(() => data.candles(query)),
      onAnswer: (candles) => {
        this.#history.stop();
        this.#begin(candles);
        return 'wait';
      },
    });
  }

  start(): void {
    const { bus, marketClock, config } = this.#context;
    const { market, trades } = this.#options;
    this.#closer = this.#newCloser();
    this.#gapTime = Number.NEGATIVE_INFINITY;
    this.#completeFrom = undefined;
    this.#early = config.candleHistory > 0 ? [] : undefined;
    this.#staleness.start();
    this.#subscription = new Subscription();
    const gaps = bus.on('gap', market.id).pipe(filter((gap) => gap.stream === 'trade'));
    this.#subscription.add(
      gaps.subscribe(() => {
        this.#gapTime = marketClock.now();
        this.#completeFrom = undefined;
      }),
    );
    this.#subscription.add(trades.subscribe((trade) => this.#take(trade)));
    if (this.#early !== undefined) this.#history.start();
  }

  stop(): void {
    this.#subscription.unsubscribe();
    this.#closer.stop();
    this.#history.stop();
    this.#outbox.stop();
    this.#staleness.stop();
  }

  #newCloser(): CandleCloser {
    const { marketClock: clock, config } = this.#context;
    const { interval, market } = this.#options;
    return new CandleCloser({
      ...{ clock, interval, amountScale: market.amountScale },
      ...{ graceMs: config.candleGraceMs, retryMs: config.tradesPollMs },
      readUntil: () => this.#readUntil(),
      onClosed: (bars) => this.#close(bars),
    });
  }

  /** The time up to which trades have been read; from the first such time on all are known. */
  #readUntil(): number {
    const readUntil = this.#options.readUntil();
    if (Number.isFinite(readUntil)) this.#completeFrom ??= readUntil;
    return readUntil;
  }

  /** Publishes the history, and goes on with the trades that came meanwhile. */
  #begin(candles: readonly Candle[]): void {
    const { config } = this.#context;
    const closed = candles.filter((candle) => candle.closed);
    const lengthMs = INTERVAL_MS[this.#options.interval];
    const bars = fillHoles(closed, { lengthMs, most: config.candleHistory });
    for (const bar of bars) this.#publish(bar);
    const last = bars.at(-1);
    if (last !== undefined) this.#closer.begin(last);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const trade of early) this.#take(trade);
    this.#closer.watch();
  }

  #take(trade: Trade): void {
    // Our date may be behind the time of the trade.
    this.#completeFrom ??= Math.max(this.#gapTime, trade.exchangeTime + 1);
    if (this.#early !== undefined) {
      this.#early.push(trade);
      return;
    }
    this.#closer.add(trade);
    this.#closer.keepWatch();
  }

  #close(bars: readonly Bar[]): void {
    for (const bar of bars) {
      const partial = this.#completeFrom === undefined || bar.openTime < this.#completeFrom;
      this.#outbox.add(bar, partial);
    }
  }

  #publish(bar: Bar): void {
    const { bus, clock } = this.#context;
    const { interval, market } = this.#options;
    this.#staleness.sign();
    const told = { market: market.id, interval, receivedTime: clock.now() };
    bus.publish({ kind: 'candle', ...closedCandle(bar, told) });
  }
}
