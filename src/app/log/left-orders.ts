import { isFinal, type LiveOrder, type OrderState, type TradingEvent } from '../../domain/index.ts';
import { type Bus, counted, getOrInsert, type Logger } from '../../kernel/index.ts';
import { ADOPTED } from '../../ledger/index.ts';

/** What can become of an order, in the order in which it is told. */
const FATES = ['cancelled by this run', 'cancelled, not by this run', 'filled', 'never there'];

export interface LeftOrdersOptions {
  readonly logger: Logger;
  /** Orders that earlier runs left. What they had adopted is not followed. */
  readonly orders: readonly LiveOrder[];
}

/**
 * Logs for each market what became of the orders that earlier runs left there, once all of them are
 * final: those that a strategy still wishes may live for long.
 */
export function tellLeftOrders(
  bus: Bus<TradingEvent>,
  { logger, orders }: LeftOrdersOptions,
): void {
  const left = new Map<string, Map<string, string | undefined>>();
  for (const { market, strategy, clientOrderId } of orders) {
    if (strategy === ADOPTED) continue;
    getOrInsert(left, market, () => new Map()).set(clientOrderId, undefined);
  }
  if (left.size === 0) return;
  const cancelling = new Set<string>();
  const hearing = bus.on('order').subscribe(({ market, order }) => {
    const ours = left.get(market);
    const { clientOrderId, status } = order;
    if (ours === undefined || !ours.has(clientOrderId)) return;
    if (status === 'cancelling') cancelling.add(clientOrderId);
    if (!isFinal(order)) return;
    ours.set(clientOrderId, fateOf(order, cancelling));
    const fates = [...ours.values()];
    if (fates.includes(undefined)) return;
    logger.info({ market }, textOf(market, fates));
    left.delete(market);
    if (left.size === 0) hearing.unsubscribe();
  });
}

function fateOf({ clientOrderId, status }: OrderState, cancelling: ReadonlySet<string>) {
  if (status === 'filled') return FATES[2];
  if (status === 'rejected') return FATES[3];
  return cancelling.has(clientOrderId) ? FATES[0] : FATES[1];
}

function textOf(market: string, fates: readonly (string | undefined)[]): string {
  const told = FATES.flatMap((fate) => {
    const count = fates.filter((one) => one === fate).length;
    return count === 0 ? [] : [`${count} ${fate}`];
  });
  const what = counted(fates.length, 'order');
  return `what became of ${what} of ${market} that an earlier run left: ${told.join(', ')}`;
}
