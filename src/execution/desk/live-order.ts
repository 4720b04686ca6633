import type { LiveOrder, OrderState } from '../../domain/index.ts';
import type { ExecutionConfig } from '../config.ts';
import type { DeskOptions } from './options.ts';

/**
 * When an IOC order should have ended by itself, milliseconds since the epoch. It is looked up a
 * read lag after it left; if it is live another read lag later, it rests after all.
 */
function overMsOf(
  { createdTime }: OrderState,
  { readLagMs }: Pick<ExecutionConfig, 'readLagMs'>,
): number {
  return createdTime + 2 * readLagMs;
}

/** Whether an IOC order rests all the same. */
export function isOverdue(
  order: LiveOrder,
  { clock, config }: Pick<DeskOptions, 'clock' | 'config'>,
): boolean {
  return order.type === 'ioc' && overMsOf(order, config) <= clock.now();
}

/** When the next of the IOC orders after `sinceMs` should have ended; infinite: none. */
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

/** Whether the order can be cancelled now: a cancel can name it, and none is under way. */
export function isCancellable(order: LiveOrder): boolean {
  return order.status === 'open' || (order.status === 'unknown' && isIdTold(order));
}

/** Whether the order's fate is not known and no cancel can name it. */
export function isInDoubt(order: LiveOrder): boolean {
  return order.status === 'unknown' && !isIdTold(order);
}

/**
 * Whether its id was told by the exchange. One told by a person may be another's until it is read.
 */
export function isIdTold(order: LiveOrder): boolean {
  return order.exchangeOrderId !== undefined && order.evidence !== 'person';
}
