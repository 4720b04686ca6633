import type { LiveOrder } from '../domain/index.ts';
import type { ExecutorOptions } from './ports.ts';

/** Lookups that must have found nothing before an order counts as absent. */
export const LOOKUPS_MIN = 3;

/** Whether lookups that found nothing prove that the order does not exist. */
export function isProvenAbsent(
  order: LiveOrder,
  { lookups, clock, config }: { lookups: number } & Pick<ExecutorOptions, 'clock' | 'config'>,
): boolean {
  const sinceMs = order.status === 'unknown' ? order.unknownSince : order.createdTime;
  return lookups >= LOOKUPS_MIN && clock.now() >= sinceMs + config.absentAfterMs;
}

/** Ends an order that the exchange has proven not to have. */
export function declareAbsent(
  { clientOrderId, status }: LiveOrder,
  { clock, orders }: Pick<ExecutorOptions, 'clock' | 'orders'>,
): void {
  const news = { time: clock.now(), evidence: 'query' } as const;
  if (status !== 'unknown') orders.apply(clientOrderId, { kind: 'lost', reason: GONE, ...news });
  orders.apply(clientOrderId, { kind: 'rejected', reason: 'proven absent', ...news });
}

const GONE = 'the exchange does not find it';
