import type { OrderState } from '../../../domain/index.ts';
import type { ShownNames } from './shown-names.ts';

/** An order, and what its fills said about it. */
export interface RecordedOrder {
  /** Its last state. */
  readonly order: OrderState;
  /** The currency of its fee; absent where nothing was filled. */
  readonly feeCurrency?: string | undefined;
  /** Whether it rested, took, or did both; absent where nothing was filled. */
  readonly liquidity?: 'maker' | 'taker' | 'both' | undefined;
}

/** Orders as columns of one length. Times are milliseconds since the epoch; null: not known. */
export type OrderColumns = ReturnType<typeof orderColumns>;

export function orderColumns(recorded: readonly RecordedOrder[], names: ShownNames) {
  const texts = <Text extends string | null>(of: (order: OrderState) => Text): Text[] =>
    recorded.map(({ order }) => of(order));
  const numbers = (of: (order: OrderState) => number): Float64Array => {
    // Filled in a loop: `Float64Array.from` takes several times as long.
    const column = new Float64Array(recorded.length);
    for (let at = 0; at < column.length; at++) column[at] = of(recorded[at]!.order);
    return column;
  };
  return {
    clientOrderId: texts(({ clientOrderId }) => clientOrderId),
    exchangeOrderId: texts(({ exchangeOrderId }) => exchangeOrderId ?? null),
    market: texts(({ market }) => market),
    strategy: texts(({ strategy }) => names.get(strategy) ?? strategy),
    tag: texts(({ tag }) => tag),
    side: texts(({ side }) => side),
    type: texts(({ type }) => type),
    status: texts(({ status }) => status),
    /** Why it was rejected or is unknown. */
    reason: texts((order) => ('reason' in order ? order.reason : null)),
    price: numbers(({ price }) => price),
    amount: numbers(({ amount }) => amount),
    filledAmount: numbers(({ filledAmount }) => filledAmount),
    /** Quote currency moved by the fills, before fees. */
    filledValue: numbers(({ filledValue }) => filledValue.toNumber()),
    /** Fee of the fills, in `feeCurrency`; NaN is not known. */
    fee: numbers(feeOf),
    /** Null where nothing was filled. */
    feeCurrency: recorded.map(({ feeCurrency = null }) => feeCurrency),
    /** `maker` rested, `taker` traded as it arrived, `both` did; null where nothing was filled. */
    liquidity: recorded.map(({ liquidity = null }) => liquidity),
    createdTime: numbers(({ createdTime }) => createdTime),
    changedTime: numbers(({ changedTime }) => changedTime),
  };
}

function feeOf({ fee, filledAmount }: OrderState): number {
  if (fee !== undefined) return fee.toNumber();
  return filledAmount === 0 ? 0 : Number.NaN;
}
