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
  /** When it was learnt, milliseconds since the epoch. */
  readonly time: number;
  readonly evidence: Evidence;
  /**
   * What is told was so at this time or later, milliseconds since the epoch: when it was asked for,
   * less the lag of reads. Default: nobody knows how old it is.
   */
  readonly asOfTime?: number | undefined;
}

/** What may be learnt of an order; `applyNews` folds it into the order's state. */
export type OrderNews = NewsBase &
  (
    | { readonly kind: 'accepted'; readonly exchangeOrderId: string }
    | { readonly kind: 'rejected'; readonly reason: string; readonly code?: number }
    | { readonly kind: 'cancelling' }
    | { readonly kind: 'cancelRefused' }
    | {
        readonly kind: 'lost';
        readonly reason: string;
        /** Whether the exchange's id of the order turned out to be none of its. Default: no. */
        readonly isMisnamed?: boolean;
      }
    | {
        /** The exchange's own record of the order. */
        readonly kind: 'record';
        readonly exchangeOrderId: string;
        /** What the order of that id asks for, where that is told. */
        readonly terms?: OrderTerms;
        /** `closed`: no longer resting, filled or not. */
        readonly closed: boolean;
        readonly filledAmount: Amount;
        readonly filledValue: Decimal;
        /** Fee of all fills so far, where it is known or was guessed. */
        readonly fee?: Decimal | undefined;
        /** The part of `fee` that was guessed. Default: none. */
        readonly guessedFee?: Decimal | undefined;
      }
  );

/** The exchange's own record among the news. */
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
 * Whether a record can be of the order: of its id where that is known, of its terms where the record
 * tells them, and filled to no more than its amount. Answers get mixed up on their way, and an id of
 * ours may name another's order.
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
 * Final states absorb late news, with four exceptions: a cancelled order still takes up a fill it
 * had not heard of, and comes back to life when a read shows that it rests after its end; all take up
 * a fee that was not told yet; and an order that was only taken to be absent comes back to life when
 * the exchange tells of it. The filled amount never shrinks, nor does
 * the fee told. Only the exchange's word (`accepted`, `rejected` or `record` by an answer, a push or
 * a query) ends `unknown`. A record that cannot be of the order changes nothing: see `isRecordOf`.
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
  // A code is the exchange's own no. Without one it was our conclusion, and may have been wrong.
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
 * Whether a cancelled order rests after all: its cancel was lost inside the exchange, or reads did
 * not find it for a while. What may be of before the end, such as a push, proves nothing.
 */
function isAlive(order: FilledOrder | CancelledOrder, news: RecordNews): boolean {
  const { closed, asOfTime = Number.NEGATIVE_INFINITY } = news;
  return order.status === 'cancelled' && !closed && asOfTime > order.changedTime;
}

/** Proven absent, an order that once had an id at the exchange has ended: it did exist. */
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

/** The order without the id that it was given: that one is another's, so nobody knows what it does. */
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

/** What has traded by the news; a fee told later takes the place of a guess, or of a lesser one. */
function filledAfter(order: OrderState, news: RecordNews): Filled {
  const { filledAmount, filledValue, fee, guessedFee } = news;
  if (isGrown(order, news)) return { filledAmount, filledValue, fee, guessedFee };
  if (filledAmount < order.filledAmount || filledAmount === 0) return order;
  if (fee === undefined || !isFeeNews(order, fee)) return order;
  return { filledAmount, filledValue: order.filledValue, fee, guessedFee: undefined };
}

/** Whether a fee told for what has traded differs from what is known: what was told never shrinks. */
function isFeeNews({ fee, guessedFee }: OrderState, told: Decimal): boolean {
  if (fee === undefined) return true;
  if (guessedFee === undefined) return told.compare(fee) > 0;
  return told.compare(fee.minus(guessedFee)) >= 0;
}

/** The state with another fee alone: it took it when it did, on no less than the word it had. */
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

/** What an order has traded so far. */
type Filled = Pick<OrderState, 'filledAmount' | 'filledValue' | 'fee' | 'guessedFee'>;

/** The order after a step, without what belongs to one state alone. Made in one go: copies weigh. */
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
