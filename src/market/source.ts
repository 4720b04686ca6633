import type { Subscription } from 'rxjs';
import type { DataStream, TradingEvent } from '../domain/index.ts';
import type { MarketDataPort, MarketFeedPort } from '../exchange/index.ts';
import { type Bus, type Clock, type Logger, withoutAction } from '../kernel/index.ts';
import type { MarketConfig } from './config.ts';
import type { MarketConnection } from './connection.ts';
import type { MarketClock } from './market-clock.ts';
import { Poller, type PollerOptions } from './poller.ts';
import type { SpacedQueue } from './spaced-queue.ts';

/** Publishes one kind of event of one market while it runs. */
export interface Source {
  start(): void;
  /** No effect if it is not running. */
  stop(): void;
}

/** What every source works with. */
export interface SourceContext {
  readonly clock: Clock;
  /** For what ends by the exchange's clock, such as candles. */
  readonly marketClock: MarketClock;
  readonly bus: Bus<TradingEvent>;
  readonly data: MarketDataPort;
  readonly feed: MarketFeedPort | undefined;
  readonly config: MarketConfig;
  readonly logger: Logger;
  readonly connection: MarketConnection;
  /** Candle requests of all markets and intervals wait here for their turn. */
  readonly candleRequests: SpacedQueue;
}

/** What is missing in a stream: the names of the records on both sides, and why. */
export interface Gap {
  readonly after: string;
  readonly before: string;
  readonly reason: string;
}

export function publishGap(
  { bus, clock }: SourceContext,
  gap: { readonly market: string; readonly stream: DataStream } & Gap,
): void {
  bus.publish({ kind: 'gap', time: clock.now(), ...gap });
}

/**
 * A source that runs while it has users.
 *
 * It starts in the clock's next turn after its first user came, so that all who come in the same
 * turn get the same records, even if the venue answers at once.
 */
export class SharedSource {
  readonly #clock: Clock;
  readonly #source: Source;
  #wanted = 0;
  #starting: Subscription | undefined;

  constructor(clock: Clock, source: Source) {
    this.#clock = clock;
    this.#source = source;
  }

  acquire(): void {
    this.#wanted++;
    if (this.#wanted > 1) return;
    this.#starting = this.#clock.schedule(() => this.#source.start());
  }

  release(): void {
    this.#wanted--;
    if (this.#wanted > 0) return;
    this.#starting?.unsubscribe();
    this.#source.stop();
  }
}

/** A poller that reports answers and failures to the connection and the log. */
export function sourcePoller<T>(
  { candleRequests, clock, config, connection, logger }: SourceContext,
  options: Pick<PollerOptions<T>, 'request' | 'onAnswer' | 'intervalMs'> & {
    /** What is polled, for the log. */
    readonly subject: string;
    /**
     * The request goes through the queue of candles, which has its own time limit. Default: false.
     */
    readonly queued?: boolean;
  },
): Poller<T> {
  const { subject, request, onAnswer, intervalMs, queued = false } = options;
  return new Poller<T>({
    clock,
    request,
    intervalMs,
    backoffMaxMs: config.backoffMaxMs,
    ...(queued ? { limitedMs: candleRequests.spacingMs } : { timeoutMs: config.requestTimeoutMs }),
    onAnswer: (answer, sentTime) => {
      connection.answered();
      return onAnswer(answer, sentTime);
    },
    onFailure: (failure, failures) => {
      const reason = withoutAction(failure.message);
      logger.warn({ failures }, `Cannot read ${subject}: ${reason}`);
      connection.failed(failure);
    },
  });
}
