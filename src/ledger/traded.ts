import { type Amount, type Market, type OrderState, tradedDecimal } from '../domain/index.ts';
import type { Decimal } from '../kernel/index.ts';

/** Decimal places of a price that was divided, beyond those of its market. */
const DIVIDED_SCALE = 8;

/** The growth of an order's fills. */
export interface Traded {
  readonly amount: Amount;
  readonly exactAmount: Decimal;
  /** Quote currency traded, before the fee. */
  readonly value: Decimal;
  /** Average price. */
  readonly price: Decimal;
}

/** The growth of an order's fills from one state to a later one in which more is filled. */
export function tradedBetween(
  before: OrderState,
  options: {
    readonly after: Pick<OrderState, 'filledAmount' | 'filledValue'>;
    readonly market: Market;
  },
): Traded {
  const { after, market } = options;
  const filled = tradedDecimal(market, after.filledAmount);
  const exactAmount = filled.minus(tradedDecimal(market, before.filledAmount));
  const value = after.filledValue.minus(before.filledValue);
  const price = value.dividedBy(exactAmount, market.priceScale + DIVIDED_SCALE, 'nearest');
  return { amount: exactAmount.toNumber() as Amount, exactAmount, value, price };
}
