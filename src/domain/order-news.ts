import type { Decimal } from '../kernel/index.ts';
import type { OrderRecord } from './events.ts';
import { type Amount, isSameSize } from './market.ts';
import {
  type CancelledOrder,
  type CancellingOrder,
  type Evidence,
  type FilledOrder,
  type FinalOrder,
  isFinal,
  isSameOrder,
  type LiveOrder,
  type OpenOrder,
  type OrderState,
  type OrderStatus,
  type OrderTerms,
  type UnknownOrder,
} from './order.ts';

interface NewsBase {
  /** When the news reached this process, milliseconds since the epoch. */
  readonly time: number;
  readonly evidence: Evidence;
  /**
   * The news was true at this time or later, milliseconds since the epoch: the time it was asked
   * for, less the lag of reads. Default: nobody knows how old it is.
   */
  readonly asOfTime?: number | undefined;
}

/** Everything that may be learnt about an order; `applyNews` folds it into the order's state. */
export type OrderNews = NewsBase &
  (
    | { readonly kind: 'accepted'; readonly exchangeOrderId: string }
    | { readonly kind: 'rejected'; readonly reason: string; readonly code?: number }
    | { readonly kind: 'cancelling' }
    | { readonly kind: 'cancelRefused' }
    | {
        readonly kind: 'lost';
        readonly reason: string;
        /**
         * Whether the exchange's id we had for the order turned out to be another order's. Default:
         * no.
         */
        readonly isMisnamed?: boolean;
      }
    | {
        /** The exchange's own record of the order. */
        readonly kind: 'record';
        readonly exchangeOrderId: string;
        /** The terms of the order with that id; undefined if not told. */
        readonly terms?: OrderTerms;
        /** `closed`: no longer resting, filled or not. */
        readonly closed: boolean;
        readonly filledAmount: Amount;
        readonly filledValue: Decimal;
        /** Fee of all fills so far, told or guessed; undefined if neither. */
        readonly fee?: Decimal | undefined;
        /** The part of `fee` that was guessed. Default: none. */
        readonly guessedFee?: Decimal | undefined;
      }
  );

/** The news that is the exchange's own record of the order. */
export type RecordNews = Extract<OrderNews, { kind: 'record' }>;

type LostNews = Extract<OrderNews, { kind: 'lost' }>;

/** An exchange's record of an order as news of it. */
export function newsOf(record: OrderRecord, told: NewsBase): OrderNews {
  const { exchangeOrderId, closed, filledAmount, filledValue, fee } = record;
  const { time, evidence, asOfTime } = told;
  return {
    kind: 'record',
    time,
    evidence,
    asOfTime,
    exchangeOrderId,
    terms: record,
    closed,
    filledAmount,
    filledValue,
    fee,
  };
}

/**
 * Whether a record can belong to the order: its id matches if the order has one, its terms match if
 * the record tells them, and it is filled to no more than the order's amount. Answers may be mixed
 * up on their way, and an id of ours may name somebody else's order.
 */
export function isRecordOf(order: OrderState, news: RecordNews): boolean {
  const { exchangeOrderId, terms = order, filledAmount } = news;
  if ((order.exchangeOrderId ?? exchangeOrderId) !== exchangeOrderId) return false;
  const isWithin = filledAmount <= order.amount || isSameSize(filledAmount, order.amount);
  return isSameOrder(order, terms) && isWithin;
}

/**
 * The state after the news; the same object when it changes nothing.
 *
 * Final states absorb late news, with these exceptions. A cancelled order still takes up a fill
 * learnt late, and comes back to life when a read made after its end shows it resting. Filled and
 * cancelled orders take up a fee told late. An order merely presumed absent comes back to life when
 * the exchange reports it. The filled amount never shrinks, nor does the fee told. Only the
 * exchange's word (`accepted`, `rejected` or `record` by an answer, a push or a query) ends
 * `unknown`. A record that cannot belong to the order changes nothing: see `isRecordOf`.
 */
export function applyNews(order: OrderState, news: OrderNews): OrderState {
  if (news.kind === 'record' && !isRecordOf(order, news)) return order;
  if (isFinal(order)) return late(order, news);
  if (order.status === 'unknown' && !isWordOfExchange(news.evidence)) return order;
  switch (news.kind) {
    case 'accepted':
      if (order.status !== 'pending' && order.status !== 'unknown') return order;
      if (order.status === 'unknown' && order.exchangeOrderId !== undefined) return order;
      return accept(order, news);
    case 'rejected':
      return reject(order, news);
    case 'cancelling':
      return order.status === 'open' ? resting(order, { status: 'cancelling', news }) : order;
    case 'cancelRefused':
      return order.status === 'cancelling' ? resting(order, { status: 'open', news }) : order;
    case 'lost':
      return lose(order, news);
    case 'record':
      return record(order, news);
    default:
      return news satisfies never;
  }
}

function accept(order: OrderState, news: Extract<OrderNews, { kind: 'accepted' }>): OrderState {
  const { exchangeOrderId } = news;
  return after(order, { status: 'open', exchangeOrderId, news, filled: order });
}

function resting(
  order: OpenOrder | CancellingOrder,
  { status, news }: { readonly status: 'open' | 'cancelling'; readonly news: NewsBase },
): OrderState {
  const { exchangeOrderId } = order;
  return after(order, { status, exchangeOrderId, news, filled: order });
}

function late(order: FinalOrder, news: OrderNews): OrderState {
  if (order.status !== 'rejected') return lateRecord(order, news);
  // With a code the exchange itself refused. Without one we concluded it, and may have been wrong.
  if (order.code !== undefined || !isWordOfExchange(news.evidence)) return order;
  if (news.kind === 'accepted') return accept(order, news);
  return news.kind === 'record' ? record(order, news) : order;
}

function lateRecord(order: FilledOrder | CancelledOrder, news: OrderNews): OrderState {
  if (news.kind !== 'record') return order;
  if (isAlive(order, news)) return record(order, news);
  const filled = filledAfter(order, news);
  if (order.status === 'filled' || !isGrown(order, news)) return withFee(order, { filled, news });
  const status = filled.filledAmount >= order.amount ? 'filled' : 'cancelled';
  return { ...order, ...filled, changedTime: news.time, evidence: news.evidence, status };
}

/**
 * Whether a cancelled order rests after all: the exchange lost its cancel, or reads missed it for a
 * while. News that may predate the end, such as a push, proves nothing.
 */
function isAlive(order: FilledOrder | CancelledOrder, news: RecordNews): boolean {
  const { closed, asOfTime = Number.NEGATIVE_INFINITY } = news;
  return order.status === 'cancelled' && !closed && asOfTime > order.changedTime;
}

/**
 * The order refused or proven absent. One that had an id at the exchange did exist: it counts as
 * cancelled, not rejected.
 */
function reject(order: LiveOrder, news: Extract<OrderNews, { kind: 'rejected' }>): OrderState {
  const { exchangeOrderId } = order;
  if (order.status !== 'pending' && order.status !== 'unknown') return order;
  const step = { news, filled: order };
  if (exchangeOrderId !== undefined) {
    return after(order, { ...step, status: 'cancelled', exchangeOrderId });
  }
  const { reason, code } = news;
  const rejected = { ...after(order, { ...step, status: 'rejected', exchangeOrderId }), reason };
  return code === undefined ? rejected : { ...rejected, code };
}

function isWordOfExchange(evidence: Evidence): boolean {
  return evidence === 'answer' || evidence === 'push' || evidence === 'query';
}

function lose(order: LiveOrder, news: LostNews): OrderState {
  if (news.isMisnamed) return withoutId(order, news);
  if (order.status === 'unknown') return order;
  const { exchangeOrderId } = order;
  const lost = after(order, { status: 'unknown', exchangeOrderId, news, filled: order });
  return { ...lost, reason: news.reason, unknownSince: news.time };
}

/**
 * The order without its exchange id, which belongs to another order: its own fate is now unknown.
 */
export function withoutId(order: OrderState, news: LostNews): UnknownOrder {
  const { reason, time: unknownSince } = news;
  const lost = after(order, { status: 'unknown', exchangeOrderId: undefined, news, filled: order });
  return { ...lost, reason, unknownSince };
}

function record(order: OrderState, news: RecordNews): OrderState {
  const { exchangeOrderId } = news;
  const filled = filledAfter(order, news);
  const status = statusAfter(order, { isFilled: filled.filledAmount >= order.amount, news });
  if (status === order.status && !isGrown(order, news)) return withFee(order, { filled, news });
  return after(order, { status, exchangeOrderId, news, filled });
}

function isGrown(order: OrderState, news: RecordNews): boolean {
  return news.filledAmount > order.filledAmount;
}

/** The fills after the news. A fee told later replaces a guess, or a smaller fee told before. */
function filledAfter(order: OrderState, news: RecordNews): Filled {
  const { filledAmount, filledValue, fee, guessedFee } = news;
  if (isGrown(order, news)) return { filledAmount, filledValue, fee, guessedFee };
  if (filledAmount < order.filledAmount || filledAmount === 0) return order;
  if (fee === undefined || !isFeeNews(order, fee)) return order;
  return { filledAmount, filledValue: order.filledValue, fee, guessedFee: undefined };
}

/** Whether a fee told for the same fills changes what is known. A fee once told never shrinks. */
function isFeeNews({ fee, guessedFee }: OrderState, told: Decimal): boolean {
  if (fee === undefined) return true;
  if (guessedFee === undefined) return told.compare(fee) > 0;
  return told.compare(fee.minus(guessedFee)) >= 0;
}

/** The state with only its fee changed: its time stays, and a push does not weaken its evidence. */
function withFee<S extends OrderState>(
  order: S,
  { filled, news }: { readonly filled: Filled; readonly news: NewsBase },
): S {
  if (filled === order) return order;
  const { fee, guessedFee } = filled;
  const evidence = news.evidence === 'push' ? order.evidence : news.evidence;
  return { ...order, fee, guessedFee, evidence };
}

function statusAfter(
  order: OrderState,
  { isFilled, news }: { isFilled: boolean; news: { readonly closed: boolean } },
): KnownOrder['status'] {
  if (isFilled) return 'filled';
  if (news.closed) return 'cancelled';
  return order.status === 'cancelling' ? 'cancelling' : 'open';
}

/** The states in which the exchange has given the order an id. */
type KnownOrder = OpenOrder | CancellingOrder | FilledOrder | CancelledOrder;

/** An order's fills so far. */
type Filled = Pick<OrderState, 'filledAmount' | 'filledValue' | 'fee' | 'guessedFee'>;

/**
 * The order after a step, without the fields that belong to one state only. Built in one literal:
 * spreading copies is slow.
 */
function after<Status extends OrderStatus, Id extends string | undefined>(
  order: OrderState,
  step: {
    readonly status: Status;
    readonly exchangeOrderId: Id;
    readonly news: NewsBase;
    readonly filled: Filled;
  },
) {
  return {
    market: order.market,
    side: order.side,
    type: order.type,
    price: order.price,
    amount: order.amount,
    clientOrderId: order.clientOrderId,
    strategy: order.strategy,
    tag: order.tag,
    createdTime: order.createdTime,
    filledAmount: step.filled.filledAmount,
    filledValue: step.filled.filledValue,
    fee: step.filled.fee,
    guessedFee: step.filled.guessedFee,
    changedTime: step.news.time,
    evidence: step.news.evidence,
    status: step.status,
    exchangeOrderId: step.exchangeOrderId,
  };
}
