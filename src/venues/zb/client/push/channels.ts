import {
  combineLatest,
  distinctUntilChanged,
  map,
  Observable,
  type Subscriber,
  type Subscription,
} from 'rxjs';
import type { Connection } from '../../../../exchange/index.ts';
import { type Logger, messageOf, seldomWarning } from '../../../../kernel/index.ts';
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
} from '../../wire/index.ts';
import { PushConnection, type PushConnectionOptions } from './connection.ts';
import { type ChannelName, keyOf, NeededChannels } from './needed-channels.ts';

/** A channel to subscribe to, as its frames name it. */
export interface ChannelRequest extends ChannelName {
  /** Makes the frame that begins or ends the subscription. */
  readonly frame: (event: FrameEvent) => string;
}

interface Entry {
  readonly request: ChannelRequest;
  /** A list that is copied when it changes. */
  listeners: readonly Subscriber<Fields>[];
}

/**
 * Channels over one kept connection: subscribed with the first listener, unsubscribed with the
 * last, subscribed again on every new connection, and again a while after the exchange refused.
 * Those that an account needs are also subscribed again if they stay silent.
 */
export class PushChannels {
  readonly #options: PushConnectionOptions;
  readonly #connection: PushConnection;
  readonly #entries = new Map<string, Entry>();
  readonly #retries = new Map<string, Subscription>();
  readonly #needed: NeededChannels;
  readonly #frameLogger: Logger;

  constructor(options: PushConnectionOptions) {
    this.#options = options;
    this.#frameLogger = seldomWarning(options.logger, options.clock);
    this.#needed = new NeededChannels({ ...options, patienceMs: options.reconnectMaxMs });
    this.#connection = new PushConnection(options, {
      opened: () => this.#beginAll(),
      lost: () => this.#forgetAll(),
      received: (text) => this.#receive(text),
    });
  }

  /** The state of the connection; subscribing opens it. */
  connection(): Observable<Connection> {
    return this.#opening(this.#connection.state);
  }

  /** The same, but down while a private channel that the ports need is refused or silent. */
  privateConnection(): Observable<Connection> {
    return this.#opening(
      combineLatest([this.#connection.state, this.#needed.trouble]).pipe(
        map(([state, trouble]) =>
          state.connected && trouble !== undefined ? { connected: false, reason: trouble } : state,
        ),
        distinctUntilChanged((a, b) => a.connected === b.connected && a.reason === b.reason),
      ),
    );
  }

  /** The frames of a channel, across reconnects. */
  frames(request: ChannelRequest): Observable<Fields> {
    return new Observable((subscriber) => {
      this.#connection.start();
      const entry = this.#listen(request, subscriber);
      return () => this.#leave(entry, subscriber);
    });
  }

  /** The account changed in a way that the channel of that key (`keyOf`) should push. */
  changed(key: string): void {
    this.#needed.changed(key);
  }

  /** Ends the connection; streams fall silent. */
  close(): void {
    this.#connection.close();
    this.#forgetAll();
  }

  #opening(state: Observable<Connection>): Observable<Connection> {
    return new Observable((subscriber) => {
      const subscription = state.subscribe(subscriber);
      this.#connection.start();
      return subscription;
    });
  }

  #listen(request: ChannelRequest, subscriber: Subscriber<Fields>): Entry {
    const key = keyOf(request);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { request, listeners: [] };
      this.#entries.set(key, entry);
      this.#begin(request);
    }
    entry.listeners = [...entry.listeners, subscriber];
    return entry;
  }

  #leave(entry: Entry, subscriber: Subscriber<Fields>): void {
    entry.listeners = entry.listeners.filter((other) => other !== subscriber);
    if (entry.listeners.length > 0) return;
    this.#entries.delete(keyOf(entry.request));
    this.#needed.forget(entry.request);
    this.#forgetRetry(entry.request);
    this.#connection.send(entry.request.frame('removeChannel'));
  }

  #forgetRetry({ channel }: ChannelName): void {
    if (this.#isWanted(channel)) return;
    this.#retries.get(channel)?.unsubscribe();
    this.#retries.delete(channel);
  }

  /** Whether the channel has listeners, in any market. */
  #isWanted(channel: string): boolean {
    return this.#entries.values().some(({ request }) => request.channel === channel);
  }

  #beginAll(): void {
    for (const { request } of this.#entries.values()) this.#begin(request);
  }

  #forgetAll(): void {
    for (const retry of this.#retries.values()) retry.unsubscribe();
    this.#retries.clear();
    this.#needed.forgetAll();
  }

  #receive(text: string): void {
    if (text === PONG) return;
    try {
      const frame = parseFrame(text);
      if (isFields(frame)) this.#route(frame);
    } catch (error) {
      const fields = { frame: excerpt(text), reason: messageOf(error) };
      this.#frameLogger.warn(fields, 'push frame is not legible');
    }
  }

  #route(frame: Fields): void {
    const channel = String(frame.channel);
    if (isAnswer(frame)) {
      this.#answered(channel, frame);
      return;
    }
    const isByMarket = BY_MARKET.has(channel);
    const key = isByMarket ? keyOf({ channel, market: String(frame.market) }) : channel;
    this.#needed.heard(key);
    const entry = this.#entries.get(key);
    if (entry !== undefined) for (const listener of entry.listeners) listener.next(frame);
  }

  /** Takes the exchange's answer to a subscription; for public channels only refusals come. */
  #answered(channel: string, frame: Fields): void {
    const { code, text, success } = envelopeOf(frame);
    if (success) {
      this.#needed.taken(channel);
      return;
    }
    this.#options.logger.warn({ channel, code, text }, 'push channel refused');
    if (!this.#isWanted(channel)) return;
    this.#needed.refused(channel, `${code} ${text}`);
    this.#beginLater(channel);
  }

  /** A refusal may pass: a key is unlocked, a market opened. One retry per channel at a time. */
  #beginLater(channel: string): void {
    if (this.#retries.has(channel)) return;
    const { clock, reconnectMaxMs } = this.#options;
    const retry = clock.schedule(() => {
      this.#retries.delete(channel);
      for (const { request } of this.#entries.values()) {
        if (request.channel === channel) this.#begin(request);
      }
    }, reconnectMaxMs);
    this.#retries.set(channel, retry);
  }

  #begin(request: ChannelRequest): void {
    const begin = () => this.#connection.send(request.frame('addChannel'));
    begin();
    if (NEEDED.has(request.channel)) this.#needed.begun(request, begin);
  }
}

/** The private channels that an account needs: the others are extras. */
const NEEDED: ReadonlySet<string> = new Set([ORDERS_CHANNEL, BALANCES_CHANNEL]);
/** Channels whose one name serves several markets, told apart by a field. */
const BY_MARKET: ReadonlySet<string> = new Set([ORDERS_CHANNEL, ALL_ORDERS_CHANNEL]);

/**
 * Whether a frame answers a subscription: it has a code and no data, or it refuses. Frames with
 * data name their kind, or contain an object.
 */
function isAnswer(frame: Fields): boolean {
  const { code, success, dataType, data } = frame;
  if (code === undefined && success !== false) return false;
  const isData = dataType !== undefined || isFields(data);
  return !isData || !envelopeOf(frame).success;
}
