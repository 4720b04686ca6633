import { BehaviorSubject, interval, type Observable, Subscription } from 'rxjs';
import type { Connection } from '../../../../exchange/index.ts';
import {
  type Clock,
  elapsedMs,
  formatDuration,
  type Logger,
  type Random,
} from '../../../../kernel/index.ts';
import { PING } from '../../wire/index.ts';
import type { Socket, SocketTransport } from '../network/transport.ts';
import { PushNews } from './news.ts';

/**
 * How a push connection is made and kept. Times in milliseconds, unaffected by changes of the date.
 */
export interface PushConnectionOptions {
  readonly url: string;
  readonly sockets: SocketTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly pingIntervalMs: number;
  /**
   * After so long without any message, answers to pings included, the connection counts as dead.
   */
  readonly silenceMs: number;
  readonly reconnectMinMs: number;
  readonly reconnectMaxMs: number;
}

/** The callbacks of whoever uses the connection. */
export interface PushUser {
  /** A new connection is open: subscriptions of the one before are gone. */
  opened(): void;
  /** The open connection is lost, or an attempt failed. */
  lost(): void;
  received(text: string): void;
}

/**
 * One WebSocket that is kept open: pinged, given up when silent, and opened again.
 *
 * Between attempts it waits twice as long each time, from `reconnectMinMs` to `reconnectMaxMs`,
 * each wait shortened by up to a half at random so that many clients do not return together. Only
 * after a connection that lasted `reconnectMaxMs` do the waits start small again: a server that
 * closes each connection at once is not flooded.
 */
export class PushConnection {
  readonly #options: PushConnectionOptions;
  readonly #user: PushUser;
  readonly #state = new BehaviorSubject<Connection>({ connected: false, reason: 'not opened yet' });
  readonly #news: PushNews;
  #status: 'idle' | 'running' | 'closed' = 'idle';
  #socket: Socket | undefined;
  #attempts = 0;
  /** The timers and the socket of the present attempt, or the wait for the next. */
  #attempt = new Subscription();

  /** The present state, then every change. */
  readonly state: Observable<Connection> = this.#state.asObservable();

  constructor(options: PushConnectionOptions, user: PushUser) {
    this.#options = options;
    this.#user = user;
    this.#news = new PushNews(options.clock, options.logger);
  }

  /** Opens the connection, if it was not already. */
  start(): void {
    if (this.#status !== 'idle') return;
    this.#status = 'running';
    this.#open();
  }

  /** Sends a frame; dropped while there is no connection, because `opened` will follow. */
  send(text: string): void {
    this.#socket?.send(text);
  }

  /** Ends the connection for good. */
  close(): void {
    this.#status = 'closed';
    this.#attempt.unsubscribe();
    this.#socket = undefined;
    this.#state.next({ connected: false, reason: 'closed' });
    this.#state.complete();
  }

  #open(): void {
    const { sockets, url, clock } = this.#options;
    const attempt = new Subscription();
    this.#attempt = attempt;
    let openedMs: number | undefined;
    let heardMs = elapsedMs(clock);
    const socket = sockets.open(url, {
      opened: () => {
        if (attempt.closed) return;
        openedMs = heardMs = elapsedMs(clock);
        this.#stand(socket);
      },
      message: (text) => {
        if (attempt.closed) return;
        heardMs = elapsedMs(clock);
        this.#user.received(text);
      },
      closed: (reason) => this.#lose(attempt, { reason, openedMs }),
    });
    attempt.add(() => socket.terminate());
    this.#watch(attempt, {
      heardMs: () => heardMs,
      silent: (reason) => this.#lose(attempt, { reason, openedMs }),
    });
  }

  #stand(socket: Socket): void {
    this.#socket = socket;
    const pings = interval(this.#options.pingIntervalMs, this.#options.clock);
    this.#attempt.add(pings.subscribe(() => socket.send(PING)));
    this.#news.opened();
    this.#user.opened();
    this.#state.next({ connected: true, reason: 'connected' });
  }

  /** Checks again whenever the silence may have lasted long enough. */
  #watch(
    attempt: Subscription,
    { heardMs, silent }: { heardMs: () => number; silent: (reason: string) => void },
  ): void {
    const { clock, silenceMs } = this.#options;
    const watch = clock.schedule(function look() {
      const restMs = heardMs() + silenceMs - elapsedMs(clock);
      if (restMs <= 0) silent(`silent for ${formatDuration(silenceMs)}`);
      else this.schedule(undefined, restMs);
    }, silenceMs);
    attempt.add(watch);
  }

  #lose(
    attempt: Subscription,
    { reason, openedMs }: { readonly reason: string; readonly openedMs: number | undefined },
  ): void {
    if (attempt.closed) return;
    attempt.unsubscribe();
    this.#socket = undefined;
    const { clock, reconnectMaxMs } = this.#options;
    const stood = openedMs !== undefined;
    const lasted = stood && elapsedMs(clock) - openedMs >= reconnectMaxMs;
    if (lasted) this.#attempts = 0;
    const waitMs = this.#nextWaitMs();
    this.#news.ended({ reason, waitMs, stood }, { lasted });
    this.#attempt = clock.schedule(() => this.#open(), waitMs);
    this.#state.next({ connected: false, reason });
    this.#user.lost();
  }

  #nextWaitMs(): number {
    const { random, reconnectMinMs, reconnectMaxMs } = this.#options;
    const fullMs = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** this.#attempts++);
    return Math.round(fullMs * (1 - random.next() / 2));
  }
}
