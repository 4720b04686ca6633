import {
  BehaviorSubject,
  combineLatest,
  distinctUntilChanged,
  map,
  Observable,
  Subject,
  type Subscription,
} from 'rxjs';
import type { Connection } from '../../../exchange/index.ts';
import { messageOf } from '../../../kernel/index.ts';
import {
  ALL_ORDERS_CHANNEL,
  BALANCES_CHANNEL,
  envelopeOf,
  excerpt,
  type Fields,
  type FrameEvent,
  isFields,
  ORDERS_CHANNEL,
  PONG,
  parseFrame,
} from '../wire/index.ts';
import { PushConnection, type PushConnectionOptions } from './push-connection.ts';

/** A channel to listen to. */
export interface ChannelRequest {
  /** As the frames of the channel name it. */
  readonly channel: string;
  /** The `market` of the frames, where one channel serves several. */
  readonly market?: string;
  /** Makes the frame that begins or ends the subscription. */
  readonly frame: (event: FrameEvent) => string;
}

interface Entry {
  readonly request: ChannelRequest;
  readonly frames: Subject<Fields>;
  listeners: number;
}

/**
 * Channels over one kept connection: begun with the first listener, ended with the last, begun again
 * on every new connection, and once more a while after the exchange refused.
 */
export class PushChannels {
  readonly #options: PushConnectionOptions;
  readonly #connection: PushConnection;
  readonly #entries = new Map<string, Entry>();
  readonly #retries = new Map<string, Subscription>();
  /** Why the exchange refuses a private channel, undefined while it does not. */
  readonly #refusal = new BehaviorSubject<string | undefined>(undefined);

  constructor(options: PushConnectionOptions) {
    this.#options = options;
    this.#connection = new PushConnection(options, {
      opened: () => this.#beginAll(),
      received: (text) => this.#receive(text),
    });
  }

  /** The state of the connection; subscribing opens it. */
  connection(): Observable<Connection> {
    return this.#opening(this.#connection.state);
  }

  /** The same, but down while the exchange refuses a private channel that the ports need. */
  privateConnection(): Observable<Connection> {
    return this.#opening(
      combineLatest([this.#connection.state, this.#refusal]).pipe(
        map(([state, refusal]) =>
          state.connected && refusal !== undefined ? { connected: false, reason: refusal } : state,
        ),
        distinctUntilChanged((a, b) => a.connected === b.connected && a.reason === b.reason),
      ),
    );
  }

  /** The frames of a channel, across reconnects. */
  frames(request: ChannelRequest): Observable<Fields> {
    return new Observable((subscriber) => {
      this.#connection.start();
      const entry = this.#listen(request);
      const subscription = entry.frames.subscribe(subscriber);
      return () => {
        subscription.unsubscribe();
        this.#leave(entry);
      };
    });
  }

  /** Ends the connection; streams fall silent. */
  close(): void {
    this.#forgetRetries();
    this.#connection.close();
  }

  #opening(state: Observable<Connection>): Observable<Connection> {
    return new Observable((subscriber) => {
      const subscription = state.subscribe(subscriber);
      this.#connection.start();
      return subscription;
    });
  }

  #listen(request: ChannelRequest): Entry {
    const key = keyOf(request);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { request, frames: new Subject(), listeners: 0 };
      this.#entries.set(key, entry);
      this.#connection.send(request.frame('addChannel'));
    }
    entry.listeners++;
    return entry;
  }

  #leave(entry: Entry): void {
    if (--entry.listeners > 0) return;
    this.#entries.delete(keyOf(entry.request));
    this.#connection.send(entry.request.frame('removeChannel'));
  }

  #beginAll(): void {
    this.#refusal.next(undefined);
    this.#forgetRetries();
    this.#begin(() => true);
  }

  #forgetRetries(): void {
    for (const retry of this.#retries.values()) retry.unsubscribe();
    this.#retries.clear();
  }

  #receive(text: string): void {
    if (text === PONG) return;
    try {
      const frame = parseFrame(text);
      if (isFields(frame)) this.#route(frame);
    } catch (error) {
      const fields = { frame: excerpt(text), reason: messageOf(error) };
      this.#options.logger.warn(fields, 'push frame is not legible');
    }
  }

  #route(frame: Fields): void {
    const channel = String(frame.channel);
    if (isAnswer(frame)) {
      this.#answered(channel, frame);
      return;
    }
    // Data prove that a refusal has passed.
    if (this.#refusal.value !== undefined && NEEDED.has(channel)) {
      this.#refusal.next(undefined);
    }
    const market = BY_MARKET.has(channel) ? String(frame.market) : undefined;
    const entry = this.#entries.get(
      keyOf(market === undefined ? { channel } : { channel, market }),
    );
    entry?.frames.next(frame);
  }

  /** The exchange's answer to a subscription; public channels are told of refusals only. */
  #answered(channel: string, frame: Fields): void {
    const isNeeded = NEEDED.has(channel);
    const { code, text, success } = envelopeOf(frame);
    if (success) {
      if (isNeeded) this.#refusal.next(undefined);
      return;
    }
    this.#options.logger.warn({ channel, code, text }, 'push channel refused');
    if (isNeeded) this.#refusal.next(`${channel} refused: ${code} ${text}`);
    this.#beginLater(channel);
  }

  /** A refusal may pass: the key is freed, a market opened. One retry a channel waits at a time. */
  #beginLater(channel: string): void {
    if (this.#retries.has(channel)) return;
    const { clock, reconnectMaxMs } = this.#options;
    const retry = clock.schedule(() => {
      this.#retries.delete(channel);
      this.#begin((request) => request.channel === channel);
    }, reconnectMaxMs);
    this.#retries.set(channel, retry);
  }

  #begin(which: (request: ChannelRequest) => boolean): void {
    for (const { request } of this.#entries.values()) {
      if (which(request)) this.#connection.send(request.frame('addChannel'));
    }
  }
}

/** Private channels without which an account is not heard: the others are extras. */
const NEEDED: ReadonlySet<string> = new Set([ORDERS_CHANNEL, BALANCES_CHANNEL]);
/** Channels that serve a market each under one name. */
const BY_MARKET: ReadonlySet<string> = new Set([ORDERS_CHANNEL, ALL_ORDERS_CHANNEL]);

/** Whether a frame tells of a subscription; frames with data name their kind, or hold an object. */
function isAnswer({ code, success, dataType, data }: Fields): boolean {
  const isData = dataType !== undefined || isFields(data);
  return !isData && (code !== undefined || success === false);
}

function keyOf({
  channel,
  market,
}: {
  readonly channel: string;
  readonly market?: string;
}): string {
  return market === undefined ? channel : `${channel} ${market}`;
}
