import { exchangeOrderIdOf } from '../../domain/index.ts';
import { toDouble } from '../doubles.ts';
import type { RunRecord } from '../record.ts';

/** Orders as columns of one length. Times in milliseconds since the epoch; null is not known. */
export type OrderColumns = {
  readonly clientOrderId: readonly string[];
  readonly exchangeOrderId: readonly (string | null)[];
  readonly market: readonly string[];
  readonly strategy: readonly string[];
  readonly tag: readonly string[];
  readonly side: readonly string[];
  readonly type: readonly string[];
  readonly status: readonly string[];
  /** Why it was rejected or is unknown. */
  readonly reason: readonly (string | null)[];
  readonly price: Float64Array;
  readonly amount: Float64Array;
  readonly filledAmount: Float64Array;
  /** Quote currency moved by the fills, before fees. */
  readonly filledValue: Float64Array;
  readonly createdTime: Float64Array;
  readonly changedTime: Float64Array;
};

/** The record's orders as columns, in its order. */
export function orderColumns({ orders }: Pick<RunRecord, 'orders'>): OrderColumns {
  return {
    clientOrderId: orders.map(({ clientOrderId }) => clientOrderId),
    exchangeOrderId: orders.map((order) => exchangeOrderIdOf(order) ?? null),
    market: orders.map(({ market }) => market),
    strategy: orders.map(({ strategy }) => strategy),
    tag: orders.map(({ tag }) => tag),
    side: orders.map(({ side }) => side),
    type: orders.map(({ type }) => type),
    status: orders.map(({ status }) => status),
    reason: orders.map((order) => ('reason' in order ? order.reason : null)),
    price: Float64Array.from(orders, ({ price }) => price),
    amount: Float64Array.from(orders, ({ amount }) => amount),
    filledAmount: Float64Array.from(orders, ({ filledAmount }) => filledAmount),
    filledValue: Float64Array.from(orders, ({ filledValue }) => toDouble(filledValue)),
    createdTime: Float64Array.from(orders, ({ createdTime }) => createdTime),
    changedTime: Float64Array.from(orders, ({ changedTime }) => changedTime),
  };
}
