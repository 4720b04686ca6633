import type { Observable } from 'rxjs';
import type { ExchangeHost } from '../../../exchange/index.ts';
import type { Clock, Logger } from '../../../kernel/index.ts';
import { type Answer, ServerError } from './answers.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_PUSH_BOUNDS,
  type PushBounds,
  type ServerLimits,
} from './config.ts';
import { type ServerCounts, Tally } from './counts.ts';
import { type DialectName, dialectOf } from './dialect.ts';
import { type KeySettings, keyRing } from './keys.ts';
import { Limiter } from './limits.ts';
import { MarketDirectory } from './markets.ts';
import { type ServerOperator, serverOperator } from './operator.ts';
import { AccountChannels } from './push/account-channels.ts';
import { PublicChannels } from './push/public-channels.ts';
import { type PushConnection, PushSession } from './push/session.ts';
import { RequestDesk, type ZbRequest } from './requests.ts';

/** The exchange to serve, the keys to it, and the settings. */
export interface ZbServerOptions {
  /** The exchange behind the wire. */
  readonly host: ExchangeHost;
  readonly keys: readonly KeySettings[];
  readonly clock: Clock;
  /**
   * The time of the callers, for rates and locks; its date is for `reqTime`. Default: `clock`. It
   * differs if the exchange's time is scaled or stepped, because that of its callers is not.
   */
  readonly wireClock?: Clock | undefined;
  readonly logger: Logger;
  /** Default: documented. */
  readonly dialect?: DialectName | undefined;
  /** Default: those of the contract. */
  readonly limits?: ServerLimits | undefined;
  /** What one WebSocket connection may cost. Default: see `pushSchema`. */
  readonly push?: PushBounds | undefined;
}

/** The exchange's wire protocol without a network. */
export interface ZbServer {
  /** Answers one GET request when subscribed; emits once and never fails. */
  handle(request: ZbRequest): Observable<Answer>;
  /** Begins a WebSocket conversation. */
  open(connection: PushConnection, address: string): Pick<PushSession, 'receive' | 'ping' | 'end'>;
  /** What has arrived so far. */
  counts(): ServerCounts;
  readonly operator: ServerOperator;
}

/**
 * Puts an exchange behind the wire protocol of the contract.
 *
 * @throws {ServerError} when two keys share an access key, or one names an account that the host
 * does not have.
 */
export function zbServer(options: ZbServerOptions): ZbServer {
  const { host, clock, logger, wireClock = clock } = options;
  const keys = keyRing(options.keys);
  for (const { accessKey, account } of keys.values()) {
    if (host.account(account) !== undefined) continue;
    throw new ServerError(
      `Cannot serve the exchange: key ${accessKey} opens the account ${JSON.stringify(account)}, ` +
        'an account of the exchange is wanted',
    );
  }
  const dialect = dialectOf(options.dialect);
  const directory = new MarketDirectory(host.market, wireClock);
  const tally = new Tally();
  const limiter = new Limiter(options.limits ?? DEFAULT_LIMITS);
  const parts = { host, keys, clock, logger, dialect, directory, limiter, tally };
  const desk = new RequestDesk({ ...parts, clock: wireClock });
  const publicChannels = new PublicChannels(parts);
  const accountChannels = new AccountChannels(parts);
  const bounds = options.push ?? DEFAULT_PUSH_BOUNDS;
  const sessionParts = { keys, logger, publicChannels, accountChannels, bounds };
  return {
    handle: (request) => desk.handle(request),
    open: (connection, address) => new PushSession({ connection, address }, sessionParts),
    counts: () => tally.counts(),
    operator: serverOperator({ keys, limiter, clock: wireClock }),
  };
}
