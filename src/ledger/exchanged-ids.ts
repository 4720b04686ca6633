import {
  BATCH_SUFFIX,
  isFinal,
  isSameOrder,
  type LiveOrder,
  type OrderNews,
  type OrderState,
  type UnknownOrder,
  withoutId,
} from '../domain/index.ts';

/** The warning for swapped ids. */
export const IDS_EXCHANGED =
  'a batch was answered with ids in another order than that of its orders: they are told apart by ' +
  'price and amount';

/**
 * The live order that a record belongs to by its terms although it has the id of another order of
 * the same batch: the contract does not say that a batch is answered in the order of its orders.
 */
export function bearerOf(
  news: OrderNews,
  { order, live }: { readonly order: OrderState; readonly live: readonly LiveOrder[] },
): LiveOrder | undefined {
  if (news.kind !== 'record' || news.terms === undefined) return undefined;
  const { exchangeOrderId, terms } = news;
  if (exchangeOrderId !== order.exchangeOrderId || isSameOrder(order, terms)) return undefined;
  const { strategy } = order;
  const batch = batchOf(order);
  if (batch === undefined || isFinal(order)) return undefined;
  return live.find(
    (one) =>
      one.exchangeOrderId !== undefined &&
      one.strategy === strategy &&
      batchOf(one) === batch &&
      isSameOrder(one, terms),
  );
}

/**
 * The order without its exchange id, if the news shows that the id is another order's: answers to
 * orders get mixed up on their way. Undefined if fills were already told and believed under that id
 * (then the record is wrong), in a batch (its orders have no id of ours to find them by), if a
 * person settled the order, and for the answer to a cancel: that tells price and amount only, so a
 * record of the id has to confirm it.
 */
export function misnamed(order: OrderState, news: OrderNews): UnknownOrder | undefined {
  if (news.kind !== 'record' || news.exchangeOrderId !== order.exchangeOrderId) return undefined;
  if (news.terms === undefined || isSameOrder(order, news.terms)) return undefined;
  if (batchOf(order) !== undefined || order.evidence === 'person') return undefined;
  if (order.filledAmount > 0 || news.evidence === 'answer') return undefined;
  const { exchangeOrderId, time, evidence } = news;
  const reason = `${exchangeOrderId}, the id that it was answered, is another order`;
  return withoutId(order, { kind: 'lost', reason, time, evidence });
}

function batchOf({ tag }: OrderState): string | undefined {
  return BATCH_SUFFIX.exec(tag)?.[0];
}
