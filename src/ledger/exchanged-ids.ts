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

/** What is warned of where that is so. */
export const IDS_EXCHANGED =
  'a batch was answered with ids in another order than that of its orders: they are told apart by ' +
  'price and amount';

/**
 * The live order that a record is of by its terms, where it bears the id of another that left in the
 * same batch: the contract does not say that a batch is answered in the order of its orders.
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
 * The order without its id at the exchange, where that is another order's by what is told of it:
 * answers to orders get mixed up on their way. What has traded was told of that id, too, and believed:
 * then the record is wrong. In a batch no id of ours finds the order; a person is not contradicted. The
 * answer to a cancel names price and amount alone: it is for a record of the id to say so.
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
