import {
  BATCH_SUFFIX,
  isFinal,
  isSameOrder,
  type LiveOrder,
  type OrderNews,
  type OrderState,
} from '../domain/index.ts';

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

function batchOf({ tag }: OrderState): string | undefined {
  return BATCH_SUFFIX.exec(tag)?.[0];
}
