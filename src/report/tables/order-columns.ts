import { exchangeOrderIdOf, type OrderState } from '../../domain/index.ts';

/** An order, and what its fills told. */
export interface RecordedOrder {
  /** Its last state. */
  readonly order: OrderState;
  /** The currency of its fee; absent where nothing was filled. */
  readonly feeCurrency?: string;
  /** Whether it rested, took, or did both; absent where nothing was filled. */
  readonly liquidity?: 'maker' | 'taker' | 'both';
}

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
  /** Fee of the fills, in `feeCurrency`; NaN is not known. */
  readonly fee: Float64Array;
  /** Null where nothing was filled. */
  readonly feeCurrency: readonly (string | null)[];
  /** `maker` rested, `taker` traded as it arrived, `both` did; null where nothing was filled. */
  readonly liquidity: readonly (string | null)[];
  readonly createdTime: Float64Array;
  readonly changedTime: Float64Array;
};

/** Orders as columns, in their order. */
export function orderColumns(recorded: readonly RecordedOrder[]): OrderColumns {
  const orders = recorded.map(({ order }) => order);
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
    filledValue: Float64Array.from(orders, ({ filledValue }) => filledValue.toNumber()),
    fee: Float64Array.from(orders, feeOf),
    feeCurrency: recorded.map(({ feeCurrency }) => feeCurrency ?? null),
    liquidity: recorded.map(({ liquidity }) => liquidity ?? null),
    createdTime: Float64Array.from(orders, ({ createdTime }) => createdTime),
    changedTime: Float64Array.from(orders, ({ changedTime }) => changedTime),
  };
}

function feeOf({ fee, filledAmount }: OrderState): number {
  if (fee !== undefined) return fee.toNumber();
  return filledAmount === 0 ? 0 : Number.NaN;
}
