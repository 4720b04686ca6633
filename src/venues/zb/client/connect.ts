import type { Observable } from 'rxjs';
import type { OrderRecord } from '../../../domain/index.ts';
import { CONTRACT_LIMITS, type FullExchange, type OrdersQuery } from '../../../exchange/index.ts';
import {
  type Clock,
  type Logger,
  type Random,
  seldomWarning,
  silentLogger,
} from '../../../kernel/index.ts';
import {
  BALANCES_CHANNEL,
  type CallParameters,
  callParameters,
  type Json,
  type JsonFields,
  PUBLIC_PATHS,
  readAny,
} from '../wire/index.ts';
import { checkedAddress } from './addresses.ts';
import { DEFAULTS } from './defaults.ts';
import { ExchangeTime } from './exchange-time.ts';
import { LegibleRows } from './legible.ts';
import type { HttpTransport, SocketTransport } from './network/transport.ts';
import { undiciTransport } from './network/undici-transport.ts';
import { UNSIGNED_PATH, warm } from './network/warm.ts';
import { wsTransport } from './network/ws-transport.ts';
import { accountFeed, type ZbAccountFeed } from './push/account-feed.ts';
import { PushChannels } from './push/channels.ts';
import { marketFeed } from './push/market-feed.ts';
import { keyOf } from './push/needed-channels.ts';
import { OwnMoves } from './push/own-moves.ts';
import { OwnRequests } from './push/own-requests.ts';
import { venueChannels, type ZbChannels } from './push/venue-channels.ts';
import { restAccount } from './rest/account.ts';
import { allOrders } from './rest/all-orders.ts';
import { restFunds } from './rest/funds.ts';
import { restMargin } from './rest/margin.ts';
import { restMarket } from './rest/market.ts';
import { restOrderLists } from './rest/order-lists.ts';
import { SignedRequests } from './rest/signed-requests.ts';
import { restTrading } from './rest/trading.ts';
import { Signer } from './signer.ts';

/** Where the exchange is, our keys there, and the ports that the client uses. */
export interface ZbOptions {
  /** Base address of public market data: `https://`, or `http://` on loopback. */
  readonly dataUrl: string;
  /** Base address of signed operations, likewise. */
  readonly tradeUrl: string;
  /** Address of the WebSocket: `wss://`, or `ws://` on loopback. */
  readonly pushUrl: string;
  readonly accessKey: string;
  /** Used once, to derive the signing key; neither kept nor shown. */
  readonly secretKey: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Default: silent. */
  readonly logger?: Logger;
  /** Makes the transport of GETs to a base address. Default: undici. */
  readonly http?: (baseUrl: string) => HttpTransport;
  /** The transport of pushes. Default: ws. */
  readonly sockets?: SocketTransport;
  /** From the making of a request to the last byte of its answer. Default: 5000. */
  readonly requestTimeoutMs?: number;
  /** Most sockets per address, without the urgent ones. Default: 16. */
  readonly connections?: number;
  /** Sockets for cancels only, and as many for heartbeats: no order delays them. Default: 4. */
  readonly urgentConnections?: number;
  /** The exchange's clock minus ours. Default: 0. */
  readonly timeOffsetMs?: number;
  /** Default: 5000. Source: wire facts, WebSocket. */
  readonly pingIntervalMs?: number;
  /** Default: 20000. Source: wire facts, WebSocket. */
  readonly silenceMs?: number;
  /** Default: 500. */
  readonly reconnectMinMs?: number;
  /** Default: 30000. */
  readonly reconnectMaxMs?: number;
}

/** The venue as an exchange, and what only the owner of the connection does with it. */
export interface ZbExchange extends FullExchange {
  readonly accountFeed: ZbAccountFeed;
  /** Channels of the venue beyond those of the ports. */
  readonly channels: ZbChannels;
  /**
   * Any signed operation by its name, such as one that the contract names without parameters. Sent
   * when subscribed to, and never twice.
   *
   * The answer is JSON as it came, its envelope checked: a code other than 1000 is a failure, as
   * elsewhere. A number with more digits than a double surely holds, such as an id, comes as its
   * text. `safePwd` is never repeated in a failure. Source: contract, Endpoints, notes 3 and 4.
   */
  call(method: string, parameters?: CallParameters): Observable<JsonFields | readonly Json[]>;
  /**
   * All orders of a market and side, open and closed, newest first, each once. It pages `getOrders`
   * as the loop asks for more, up to an empty page or code 3001; ended early, it asks for no more.
   *
   * Every ten orders cost one of the key's 60 requests a second: pacing is left to the caller.
   */
  allOrders(query: Omit<OrdersQuery, 'page'>): AsyncGenerator<OrderRecord, void, undefined>;
  /**
   * Opens the sockets beforehand, so that no order waits for a handshake: sends as many cheap
   * unsigned requests to each address as it has sockets. Emits once all are answered; failures are
   * only logged.
   */
  warm(): Observable<void>;
  /** Lets requests under way end, then closes every socket. */
  close(): Promise<void>;
}

/**
 * The venue over the network. Nothing is sent before something is subscribed to.
 *
 * @throws {WireError} when an address is none, or would carry keys unencrypted.
 */
export function connectZb(options: ZbOptions): ZbExchange {
  const settled = { logger: silentLogger, sockets: wsTransport, ...DEFAULTS, ...options };
  const { clock, connections, logger, pushUrl: url } = settled;
  const { urgentConnections } = settled;
  checkedAddress('pushUrl', { url, protocol: 'ws' });
  const data = httpFor('dataUrl', { ...settled, connections });
  const trade = httpFor('tradeUrl', { ...settled, connections });
  const cancel = httpFor('tradeUrl', { ...settled, connections: urgentConnections });
  const heartbeat = httpFor('tradeUrl', { ...settled, connections: urgentConnections });
  const signer = new Signer(options);
  const time = new ExchangeTime(settled);
  const signed = (http: HttpTransport) => new SignedRequests({ http, signer, time });
  const requests = signed(trade);
  const channels = new PushChannels({ ...pushSettingsOf(settled), url });
  const rows = new LegibleRows(logger);
  // Each has its own seldom warnings: those of the account must not drown in market data.
  const pushed = () => ({ channels, clock, logger: seldomWarning(logger, clock) });
  const urgent = { cancels: signed(cancel), heartbeats: signed(heartbeat) };
  const moves = new OwnMoves(() => channels.changed(keyOf({ channel: BALANCES_CHANNEL })));
  const ownRequests = new OwnRequests({ channels, moves });
  const trading = restTrading({ requests, ...urgent, rows, ownRequests });
  return {
    market: restMarket({ http: data, clock, time, rows }),
    trading,
    orderLists: restOrderLists(requests, rows),
    account: restAccount(requests, rows),
    funds: restFunds({ requests, http: trade }),
    margin: restMargin(requests),
    marketFeed: marketFeed({ ...pushed(), time }),
    accountFeed: accountFeed({ ...pushed(), moves, signer, rows }),
    channels: venueChannels({ ...pushed(), signer }),
    call: (method, parameters = {}) =>
      requests.send(`call ${method}`, {
        parameters: () => callParameters(method, parameters),
        read: readAny,
      }),
    allOrders: (query) => allOrders(trading.orders, query),
    limits: { ...CONTRACT_LIMITS, unhurriedInFlightMax: connections },
    warm: () =>
      warm(logger, [
        { http: data, path: PUBLIC_PATHS.markets, count: connections },
        { http: trade, path: UNSIGNED_PATH, count: connections },
        { http: cancel, path: UNSIGNED_PATH, count: urgentConnections },
        { http: heartbeat, path: UNSIGNED_PATH, count: urgentConnections },
      ]),
    close: async () => {
      channels.close();
      await Promise.all([data, trade, cancel, heartbeat].map((http) => http.close()));
    },
  };
}

type Settled = ZbOptions & Required<Omit<ZbOptions, 'http'>>;

function httpFor(setting: 'dataUrl' | 'tradeUrl', settled: Settled): HttpTransport {
  const { clock, connections, requestTimeoutMs: timeoutMs } = settled;
  const baseUrl = settled[setting];
  checkedAddress(setting, { url: baseUrl, protocol: 'http' });
  return (
    settled.http?.(baseUrl) ?? undiciTransport({ baseUrl, setting, clock, timeoutMs, connections })
  );
}

/** Only the settings of the push connection: the secret key is not passed on. */
function pushSettingsOf(settled: Settled) {
  const { sockets, clock, random, logger } = settled;
  const { pingIntervalMs, silenceMs, reconnectMinMs, reconnectMaxMs } = settled;
  const times = { pingIntervalMs, silenceMs, reconnectMinMs, reconnectMaxMs };
  return { sockets, clock, random, logger, ...times };
}
