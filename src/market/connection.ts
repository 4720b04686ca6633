import { EMPTY, finalize, type Observable, ReplaySubject, share, tap } from 'rxjs';
import type { TradingEvent } from '../domain/index.ts';
import type { Connection, ExchangeFailure, MarketFeedPort } from '../exchange/index.ts';
import type { Bus, Clock } from '../kernel/index.ts';

/** Failures in a row, of all requests for market data, that count as a lost connection. */
const FAILURES_MAX = 3;

/**
 * Watches both ways to market data, feed and requests, and publishes `connection` for them as one.
 *
 * The market channel is connected while the feed is up or requests are answered; a change between
 * the two is published too. A rejection or a rate limit is an answer: only silence counts as a
 * lost connection.
 */
export class MarketConnection {
  readonly #clock: Clock;
  readonly #bus: Bus<TradingEvent>;
  #feedUp: boolean | undefined;
  #requestsUp: boolean | undefined;
  #failures = 0;
  #published: 'feed' | 'requests' | 'none' | undefined;

  /** The state of the feed; one subscription to the port serves all. Empty without a feed. */
  readonly feed: Observable<Connection>;

  constructor(options: {
    clock: Clock;
    bus: Bus<TradingEvent>;
    feed: MarketFeedPort | undefined;
  }) {
    this.#clock = options.clock;
    this.#bus = options.bus;
    const connection = options.feed?.connection() ?? EMPTY;
    this.feed = connection.pipe(
      tap((state) => this.#feedChanged(state)),
      finalize(() => {
        this.#feedUp = undefined;
      }),
      share({ connector: () => new ReplaySubject<Connection>(1) }),
    );
  }

  /** A request was answered. */
  answered(): void {
    this.#failures = 0;
    if (this.#requestsUp === true) return;
    this.#requestsUp = true;
    this.#publish('requests are answered');
  }

  /** A request failed. */
  failed(failure: ExchangeFailure): void {
    if (failure.kind === 'rejected' || failure.kind === 'limited') return;
    this.#failures++;
    if (this.#failures < FAILURES_MAX || this.#requestsUp === false) return;
    this.#requestsUp = false;
    this.#publish(`requests fail: ${failure.message}`);
  }

  #feedChanged({ connected, reason }: Connection): void {
    if (this.#feedUp === connected) return;
    this.#feedUp = connected;
    const polled = !connected && this.#requestsUp === true ? ', polled alone' : '';
    this.#publish(`${connected ? 'feed connected' : 'feed lost'}${polled}: ${reason}`);
  }

  #publish(reason: string): void {
    const way = this.#feedUp === true ? 'feed' : this.#requestsUp === true ? 'requests' : 'none';
    // Nothing is lost as long as neither way has worked or failed.
    if (way === this.#published || (way === 'none' && this.#isUndecided())) return;
    this.#published = way;
    const connected = way !== 'none';
    this.#bus.publish({
      kind: 'connection',
      time: this.#clock.now(),
      channel: 'market',
      connected,
      reason,
    });
  }

  #isUndecided(): boolean {
    return this.#published === undefined && this.#requestsUp === undefined;
  }
}
