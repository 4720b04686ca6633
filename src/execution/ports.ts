import type {
  FinalOrder,
  Journal,
  LiveOrder,
  Market,
  PendingOrder,
  TradingEvent,
} from '../domain/index.ts';
import type { Exchange } from '../exchange/index.ts';
import type { Bus, Clock, Logger } from '../kernel/index.ts';
import type { BalanceLedger, OrderLedger, PositionLedger } from '../ledger/index.ts';
import type { PriceView, RiskGate } from '../risk/index.ts';
import type { ExecutionConfig } from './config.ts';
import type { HeartbeatPort } from './heartbeat/no-heartbeat.ts';
import type { RateBudget } from './sending/rate-budget.ts';

/** The executor's dependencies. */
export interface ExecutorOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  readonly exchange: Exchange;
  readonly markets: ReadonlyMap<string, Market>;
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  readonly positions: PositionLedger;
  /** The part of the risk gate that it uses: wishes arrive approved. */
  readonly gate: Omit<RiskGate, 'intent' | 'confine' | 'hearsTrades'>;
  readonly prices: Pick<PriceView, 'depth' | 'last' | 'showsOwn'>;
  readonly heartbeat: HeartbeatPort;
  readonly budget: RateBudget;
  /** A new id each time, unique within all runs: 4 to 36 letters or digits. */
  readonly nextClientOrderId: () => string;
  /** Writes to disk what must be there before anything else happens. */
  readonly journal: Pick<Journal, 'commitOrders' | 'commit'>;
  readonly config: ExecutionConfig;
  /** How many orders, heard of or sent, are remembered. Default: 65,536. */
  readonly heardMax?: number | undefined;
  /**
   * Whether the next order towards a target follows a completely filled one at once, for runs in
   * which nothing could happen during its pause. Default: it pauses after each.
   */
  readonly partsFollow?: boolean | undefined;
  /**
   * Whether no push is ever lost and nobody else trades: a stop then reads the newest orders only.
   * Default: it reads back to what an earlier read saw.
   */
  readonly pushesTellAll?: boolean | undefined;
  readonly logger: Logger;
  /**
   * Called when trading must halt until a person has looked: the exchange has locked the key or the
   * address, or the journal can't be written. The executor itself then cancels everything.
   */
  readonly onHalt?: (reason: string) => void;
  /**
   * Called with the code of a wish's first refusal if that is not published because it was said
   * before.
   */
  readonly onRepeated?: OnRepeated;
}

/** Called with a refusal's code, and the wish's strategy and market. */
export type OnRepeated = (
  code: string,
  wishing: { readonly strategy: string; readonly market: string },
) => void;

/** What a restart takes over. */
export interface ExecutorMemory {
  /** The orders that were not final. */
  readonly orders: readonly LiveOrder[];
  /**
   * By our id, when the run that left the order was last alive. Default: when the order last
   * changed.
   */
  readonly aliveTimes: ReadonlyMap<string, number>;
  /** Whether anybody may still wish for such an order; if not, it is cancelled. */
  readonly isOwned: (order: LiveOrder) => boolean;
  /** Final orders whose fee is still a guess. */
  readonly guessedOrders: readonly FinalOrder[];
  /**
   * The newest orders as they left, live ones included: a proxy may have repeated their requests.
   */
  readonly recentOrders: readonly PendingOrder[];
  /** The newest final orders: lagging reads may still show them at rest. */
  readonly endedOrders: readonly FinalOrder[];
  /** When requests left, milliseconds since the epoch, oldest first. */
  readonly requestTimes: readonly number[];
  /**
   * Exchange ids of final orders, as far as fills tell them: an order of a batch is searched for by
   * its terms, and must not be taken for one of these.
   */
  readonly pastExchangeOrderIds: Iterable<string>;
}

/** A source of reads that ask the exchange for the true state, one request after the other. */
export interface QuestionSource {
  /** When its next request is due; infinite when none is without an event. */
  readonly nextMs: number;
  /** Sends the request that is due, if one is. */
  sendDue(turn: QuestionTurn): boolean;
}

/** How a read may leave. */
export interface QuestionTurn {
  readonly priority: 'question' | 'open';
  /** Since when reads have waited for the rate budget; undefined: they have not. */
  readonly waitingSinceMs: number | undefined;
}
