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

/** What the executor works with. */
export interface ExecutorOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  readonly exchange: Exchange;
  readonly markets: ReadonlyMap<string, Market>;
  readonly orders: OrderLedger;
  readonly balances: BalanceLedger;
  readonly positions: PositionLedger;
  /** What it asks of risk: wishes come to it approved. */
  readonly gate: Omit<RiskGate, 'intent' | 'confine' | 'hearsTrades'>;
  readonly prices: Pick<PriceView, 'depth' | 'last' | 'showsOwn'>;
  readonly heartbeat: HeartbeatPort;
  readonly budget: RateBudget;
  /** A new id each time, unique within all runs: 4 to 36 letters or digits. */
  readonly nextClientOrderId: () => string;
  /** What is to be on disk before anything else happens. */
  readonly journal: Pick<Journal, 'commitOrders' | 'commit'>;
  readonly config: ExecutionConfig;
  /** How many orders, heard of or sent, are known again. Default: 65,536. */
  readonly heardMax?: number | undefined;
  /**
   * Whether the next order towards a target follows one that filled whole at once: where nothing
   * happens in the time that it would pause. Default: it pauses behind each.
   */
  readonly partsFollow?: boolean | undefined;
  /**
   * Whether no push is ever lost and nobody else trades: a stop reads the newest orders alone then.
   * Default: it reads back to what an earlier reading saw.
   */
  readonly pushesTellAll?: boolean | undefined;
  readonly logger: Logger;
  /**
   * Called when trading must halt until a person has looked: the exchange has locked the key or the
   * address, or the journal can't be written. The executor itself then cancels everything.
   */
  readonly onHalt?: (reason: string) => void;
  /** Called with the code of the first refusal of a wish that is not published: the same was before. */
  readonly onRepeated?: OnRepeated;
}

/** Hears of a refusal by its code, and of whose wish in which market it is. */
export type OnRepeated = (
  code: string,
  wishing: { readonly strategy: string; readonly market: string },
) => void;

/** What a restart takes over. */
export interface ExecutorMemory {
  /** The orders whose story was not over. */
  readonly orders: readonly LiveOrder[];
  /** When the run that left it was last alive, by our id; else it was when the order changed last. */
  readonly aliveTimes: ReadonlyMap<string, number>;
  /** Whether anybody may still wish for such an order; if not, it is cancelled. */
  readonly isOwned: (order: LiveOrder) => boolean;
  /** Those that were over while their fee was a guess. */
  readonly guessedOrders: readonly FinalOrder[];
  /**
   * The orders that left last, as they left, live ones among them: somebody on the way may have
   * repeated their requests.
   */
  readonly recentOrders: readonly PendingOrder[];
  /** The orders that ended last: reads that lag may show them at rest yet. */
  readonly endedOrders: readonly FinalOrder[];
  /** When requests left, milliseconds since the epoch, oldest first. */
  readonly requestTimes: readonly number[];
  /**
   * The exchange's ids of orders that are over, as far as fills tell them: an order that left in a
   * batch is searched for by its terms, and must not be taken for one of these.
   */
  readonly pastExchangeOrderIds: Iterable<string>;
}

/** Something that reads the truth from the exchange, one request after the other. */
export interface QuestionSource {
  /** When its next request falls due; infinite when none does without an event. */
  readonly nextMs: number;
  /** Sends the request that is due, if one is. */
  sendDue(turn: QuestionTurn): boolean;
}

/** How a question may leave. */
export interface QuestionTurn {
  readonly priority: 'question' | 'open';
  /** Since when questions have waited for the rate budget; undefined: they have not. */
  readonly waitingSinceMs: number | undefined;
}
