import type { Decimal } from '../kernel/index.ts';
import type { Adjustment, Balance, Fill, LateFee, Position } from './fill.ts';
import type { Intent, Refusal, TradingState } from './intent.ts';
import type { Candle, DataStream, Depth, Stamped, Ticker, Trade } from './market-data.ts';
import type { OrderState, OrderTerms } from './order.ts';

type Timed = { readonly time: number };

/** Market data from the venue. */
export type MarketEvent =
  | (Ticker & { readonly kind: 'ticker' })
  | (Depth & { readonly kind: 'depth' })
  | (Trade & { readonly kind: 'trade' })
  | (Candle & { readonly kind: 'candle' });

/** The quality of the data: sources fail, fall silent and skip records. */
export type DataQualityEvent =
  | (Timed & {
      readonly kind: 'freshness';
      readonly market: string;
      readonly stream: DataStream;
      readonly fresh: boolean;
      /** Milliseconds since the last record; 0 when fresh. */
      readonly ageMs: number;
    })
  | (Timed & {
      readonly kind: 'gap';
      readonly market: string;
      readonly stream: DataStream;
      /**
       * The last record before the gap and the first after it: ids of trades, times of all others.
       */
      readonly after: string;
      readonly before: string;
      readonly reason: string;
    })
  | (Timed & {
      readonly kind: 'connection';
      readonly channel: 'market' | 'trading' | 'pushes';
      readonly connected: boolean;
      readonly reason: string;
    });

/** An order as the exchange reports it, before the ledger folds it into ours. */
export interface OrderRecord extends OrderTerms {
  readonly exchangeOrderId: string;
  readonly filledAmount: OrderTerms['amount'];
  readonly filledValue: Decimal;
  /** No longer resting, filled or not. */
  readonly closed: boolean;
  /** When the exchange took it, milliseconds since the epoch. */
  readonly exchangeTime: number;
  /**
   * Fees so far, in the base currency for a buy and the quote currency for a sell; undefined if not
   * told.
   */
  readonly fee?: Decimal | undefined;
  /**
   * The account that pays: 0 spot, 1 isolated margin, 2 cross margin (contract, acctType);
   * undefined if not told.
   */
  readonly accountType?: 0 | 1 | 2;
  /** The newest trade of the order; undefined if not told. */
  readonly lastTrade?:
    | {
        readonly id: string;
        readonly price: number;
        readonly amount: number;
        /** Milliseconds since the epoch. */
        readonly time: number;
      }
    | undefined;
}

/** Pushes from the account's own channels. */
export type PushEvent =
  | (Stamped & { readonly kind: 'orderPush'; readonly market: string; readonly order: OrderRecord })
  | (Stamped & { readonly kind: 'balancePush'; readonly balances: readonly Balance[] });

/** Decisions of strategies and of risk. */
export type DecisionEvent =
  | (Timed & {
      readonly kind: 'intent';
      readonly market: string;
      readonly strategy: string;
      readonly intent: Intent;
    })
  | (Timed & {
      readonly kind: 'refusal';
      readonly market: string;
      readonly strategy: string;
      /** The tag of a single order; undefined for quotes and targets. */
      readonly tag?: string;
      /** The amount still sent when an exit was cut down. */
      readonly left?: number;
      readonly refusal: Refusal;
    })
  | (Timed & {
      readonly kind: 'strategy';
      readonly strategy: string;
      readonly status: 'started' | 'ended' | 'failed' | 'stopped';
      readonly reason: string;
    })
  | (Timed & {
      /** A timer of a strategy went off. */
      readonly kind: 'timer';
      readonly strategy: string;
      /**
       * The timer's number among all timers the strategy has scheduled, counted from 1. The timers
       * that deliver refusals to it are counted from -1 downwards.
       */
      readonly timer: number;
    })
  | (Timed & {
      readonly kind: 'tradingState';
      readonly state: TradingState;
      readonly reason: string;
    });

/** The requests that change something or use up the rate budget. */
export const REQUEST_OPERATIONS = [
  'place',
  'placeBatch',
  'cancel',
  'cancelAllAfter',
  'queryOrder',
  'queryOrders',
  'queryAccount',
] as const;
export type RequestOperation = (typeof REQUEST_OPERATIONS)[number];

/** The executor's actions and their results. */
export type EffectEvent =
  | (Timed & { readonly kind: 'order'; readonly market: string; readonly order: OrderState })
  | (Timed & { readonly kind: 'fill'; readonly market: string; readonly fill: Fill })
  | (Timed & { readonly kind: 'lateFee'; readonly market: string; readonly lateFee: LateFee })
  | (Timed & { readonly kind: 'balance'; readonly balances: readonly Balance[] })
  | (Timed & {
      readonly kind: 'position';
      readonly market: string;
      /** Whose position changed. */
      readonly strategy: string;
      readonly position: Position;
    })
  | (Timed & {
      readonly kind: 'request';
      readonly market: string;
      readonly operation: RequestOperation;
      /** Milliseconds that the request waited for the rate budget. */
      readonly waitedMs: number;
    })
  | (Timed & {
      /** A request ended without a clear answer of the exchange. */
      readonly kind: 'requestFailure';
      readonly market: string;
      readonly operation: RequestOperation;
      /**
       * Its outcome: refused for our pace (`limited`), possibly done (`unknown`), or never sent
       * (`unsent`).
       */
      readonly outcome: 'limited' | 'unknown' | 'unsent';
      readonly reason: string;
    })
  | (Timed & {
      readonly kind: 'heartbeat';
      readonly market: string;
      /** When the confirmed call was SENT: the exchange's minute is counted from here. */
      readonly sentTime: number;
    })
  | (Timed & { readonly kind: 'lapse'; readonly market: string; readonly reason: string })
  | (Timed & {
      readonly kind: 'reconciliation';
      readonly market: string;
      readonly reason: string;
      readonly open: number;
      readonly adopted: number;
      readonly resolved: number;
    })
  | (Timed & {
      readonly kind: 'run';
      readonly status: 'starting' | 'running' | 'stopping' | 'stopped';
      readonly reason: string;
    });

/** A person's entry in a journal. A bot never publishes one. */
export type PersonEvent = Adjustment & { readonly kind: 'adjustment' };

/** Everything that the bus carries and the journal keeps. */
export type TradingEvent =
  | MarketEvent
  | DataQualityEvent
  | PushEvent
  | DecisionEvent
  | EffectEvent
  | PersonEvent;
export type EventKind = TradingEvent['kind'];
/** An event of one kind. */
export type EventOf<K extends EventKind> = Extract<TradingEvent, { readonly kind: K }>;

/** When an event arose in, or reached, this process, milliseconds since the epoch. */
export function timeOf(event: TradingEvent): number {
  return 'time' in event ? event.time : event.receivedTime;
}
