import { catchError, EMPTY, endWith, ignoreElements, merge, type Observable } from 'rxjs';
import { CONTRACT_LIMITS, type Exchange, toFailure } from '../../../exchange/index.ts';
import { type Clock, type Logger, type Random, silentLogger } from '../../../kernel/index.ts';
import { PUBLIC_PATHS, pathOf } from '../wire/index.ts';
import { accountFeed } from './account-feed.ts';
import { checkedAddress } from './addresses.ts';
import { DEFAULTS } from './defaults.ts';
import { marketFeed } from './market-feed.ts';
import { PushChannels } from './push-channels.ts';
import { restAccount } from './rest-account.ts';
import { restMarket } from './rest-market.ts';
import { restTrading } from './rest-trading.ts';
import { SignedRequests } from './signed-requests.ts';
import { Signer } from './signer.ts';
import type { HttpTransport, SocketTransport } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';
import { wsTransport } from './ws-transport.ts';

/** Where the exchange is, who we are there, and what we stand on. */
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
  /** Default: says nothing. */
  readonly logger?: Logger;
  /** What GETs go over, made for a base address. Default: undici. */
  readonly http?: (baseUrl: string) => HttpTransport;
  /** What pushes come over. Default: ws. */
  readonly sockets?: SocketTransport;
  /** From the making of a request to the last byte of its answer. Default: 5000. */
  readonly requestTimeoutMs?: number;
  /** Most sockets an address. Default: 8. */
  readonly connections?: number;
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

/** The venue as an exchange, and what only its owner does with it. */
export interface ZbExchange extends Exchange {
  /**
   * Opens the sockets beforehand, so that no order waits for a handshake: as many cheap unsigned
   * requests as there are sockets, to each address. Emits once all are answered; a failure is told
   * to the log alone.
   */
  warm(): Observable<void>;
  /** Lets requests under way end, then closes every socket. */
  close(): Promise<void>;
}

/**
 * The venue over the network. Nothing is sent before it is asked for.
 *
 * @throws {WireError} when an address is none, or would carry keys unencrypted.
 */
export function connectZb(options: ZbOptions): ZbExchange {
  const settled = { logger: silentLogger, sockets: wsTransport, ...DEFAULTS, ...options };
  const { clock, connections, logger, timeOffsetMs, pushUrl: url } = settled;
  checkedAddress('pushUrl', { url, protocol: 'ws' });
  const data = httpFor('dataUrl', settled);
  const trade = httpFor('tradeUrl', settled);
  const signer = new Signer(options);
  const requests = new SignedRequests({ http: trade, signer, clock, timeOffsetMs });
  const channels = new PushChannels({ ...pushSettingsOf(settled), url });
  return {
    market: restMarket({ http: data, clock, timeOffsetMs }),
    trading: restTrading(requests),
    account: restAccount(requests),
    marketFeed: marketFeed({ channels, clock, logger, timeOffsetMs }),
    accountFeed: accountFeed({ channels, signer, clock, logger }),
    limits: CONTRACT_LIMITS,
    warm: () => warm({ data, trade, connections, logger }),
    close: async () => {
      channels.close();
      await Promise.all([data.close(), trade.close()]);
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

/** The settings of the push connection alone: what is passed on holds no secret key. */
function pushSettingsOf(settled: Settled) {
  const { sockets, clock, random, logger } = settled;
  const { pingIntervalMs, silenceMs, reconnectMinMs, reconnectMaxMs } = settled;
  const times = { pingIntervalMs, silenceMs, reconnectMinMs, reconnectMaxMs };
  return { sockets, clock, random, logger, ...times };
}

function warm(options: {
  readonly data: HttpTransport;
  readonly trade: HttpTransport;
  readonly connections: number;
  readonly logger: Logger;
}): Observable<void> {
  const { data, trade, connections, logger } = options;
  const requests = Array.from({ length: connections }, () => [
    data.get(PUBLIC_PATHS.markets),
    // Answered without signature and parameters. Source: wire facts, REST answers.
    trade.get(pathOf('getFeeInfo')),
  ]).flat();
  const quiet = requests.map((request) =>
    request.pipe(
      catchError((error: unknown) => {
        logger.warn({ reason: toFailure(error).message }, 'socket could not be opened beforehand');
        return EMPTY;
      }),
    ),
  );
  return merge(...quiet).pipe(ignoreElements(), endWith(undefined));
}
