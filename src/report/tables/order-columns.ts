import type { OrderState } from '../../domain/index.ts';

/** An order, and what its fills told. */
export interface RecordedOrder {
  /** Its last state. */
  readonly order: OrderState;
  /** The currency of its fee; absent where nothing was filled. */
  readonly feeCurrency?: string | undefined;
  /** Whether it rested, took, or did both; absent where nothing was filled. */
  readonly liquidity?: 'maker' | 'taker' | 'both' | undefined;
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

type Writable<Columns> = {
  -readonly [name in keyof Columns]: Columns[name] extends readonly (infer Value)[]
    ? Value[]
    : Columns[name];
};

export function orderColumns(recorded: readonly RecordedOrder[]): OrderColumns {
  const columns = noOrders(recorded.length);
  for (let at = 0; at < recorded.length; at++) {
    addTexts(columns, recorded[at]!);
    setNumbers(columns, { at, order: recorded[at]!.order });
  }
  return columns;
}

/** Columns of no texts yet, with room for the numbers of so many orders. */
function noOrders(length: number): Writable<OrderColumns> {
  const numbers = (): Float64Array => new Float64Array(length);
  return {
    ...{ clientOrderId: [], exchangeOrderId: [], market: [], strategy: [], tag: [] },
    ...{ side: [], type: [], status: [], reason: [] },
    ...{ price: numbers(), amount: numbers(), filledAmount: numbers(), filledValue: numbers() },
    ...{ fee: numbers(), feeCurrency: [], liquidity: [] },
    ...{ createdTime: numbers(), changedTime: numbers() },
  };
}

function addTexts(columns: Writable<OrderColumns>, recorded: RecordedOrder): void {
  const { order } = recorded;
  columns.clientOrderId.push(order.clientOrderId);
  columns.exchangeOrderId.push(order.exchangeOrderId ?? null);
  columns.market.push(order.market);
  columns.strategy.push(order.strategy);
  columns.tag.push(order.tag);
  columns.side.push(order.side);
  columns.type.push(order.type);
  columns.status.push(order.status);
  columns.reason.push('reason' in order ? order.reason : null);
  columns.feeCurrency.push(recorded.feeCurrency ?? null);
  columns.liquidity.push(recorded.liquidity ?? null);
}

function setNumbers(
  columns: OrderColumns,
  { at, order }: { readonly at: number; readonly order: OrderState },
): void {
  columns.price[at] = order.price;
  columns.amount[at] = order.amount;
  columns.filledAmount[at] = order.filledAmount;
  columns.filledValue[at] = order.filledValue.toNumber();
  columns.fee[at] = feeOf(order);
  columns.createdTime[at] = order.createdTime;
  columns.changedTime[at] = order.changedTime;
}

function feeOf({ fee, filledAmount }: OrderState): number {
  if (fee !== undefined) return fee.toNumber();
  return filledAmount === 0 ? 0 : Number.NaN;
}
