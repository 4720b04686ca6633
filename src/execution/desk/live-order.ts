import type { LiveOrder, OrderState } from '../../domain/index.ts';
import type { ExecutionConfig } from '../config.ts';
import type { DeskOptions } from './options.ts';

/**
 * When an order that takes at once is to be over by itself, milliseconds since the epoch. It is asked
 * about a read lag after it left; what lives a read lag later rests after all.
 */
function overMsOf(
  { createdTime }: OrderState,
  { readLagMs }: Pick<ExecutionConfig, 'readLagMs'>,
): number {
  return createdTime + 2 * readLagMs;
}

/** Whether an order that takes at once rests all the same. */
export function isOverdue(
  order: LiveOrder,
  { clock, config }: Pick<DeskOptions, 'clock' | 'config'>,
): boolean {
  return order.type === 'ioc' && overMsOf(order, config) <= clock.now();
}

/** When the next of the orders, after `sinceMs`, is to be over by itself; infinite: none is. */
export function nextOverMs(
  orders: readonly OrderState[],
  { sinceMs, readLagMs }: Pick<ExecutionConfig, 'readLagMs'> & { readonly sinceMs: number },
): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const order of orders) {
    if (order.type !== 'ioc') continue;
    const overMs = overMsOf(order, { readLagMs });
    if (overMs > sinceMs) firstMs = Math.min(firstMs, overMs);
  }
  return firstMs;
}

/** Whether a cancel can name it to the exchange and none is under way. */
export function isCancellable(order: LiveOrder): boolean {
  return order.status === 'open' || (order.status === 'unknown' && isIdTold(order));
}

/** Whether nobody knows if it exists, or what became of it, and no cancel can name it. */
export function isInDoubt(order: LiveOrder): boolean {
  return order.status === 'unknown' && !isIdTold(order);
}

/** Whether its id is the exchange's word: one that a person named may be another's until read. */
export function isIdTold(order: LiveOrder): boolean {
  return order.exchangeOrderId !== undefined && order.evidence !== 'person';
}
