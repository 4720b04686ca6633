import {
  type Fill,
  type LateFee,
  type OrderState,
  type RecordNews,
  tagOfOrder,
  tradedDecimal,
} from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { COST_SCALE } from './accounting.ts';
import { type FeeTerms, feeByRate, feeCurrencyOf, feeGrowth } from './fees.ts';
import { tradedBetween } from './traded.ts';

/**
 * The news with a plausible filled value: where the filled amount grew but the value did not, the
 * growth is valued at the order's own price, the worst that it can have traded at.
 */
export function withSoundValue(news: RecordNews, order: OrderState): RecordNews {
  if (news.filledAmount <= order.filledAmount) return news;
  if (news.filledValue.compare(order.filledValue) > 0) return news;
  const growth = Decimal.of(news.filledAmount).minus(Decimal.of(order.filledAmount));
  const value = order.filledValue.plus(growth.times(Decimal.of(order.price)));
  return { ...news, filledValue: value };
}

/** A step from one state of an order to the next. */
interface Step extends FeeTerms {
  readonly before: OrderState;
  readonly after: OrderState;
}

/** The fill between two states of an order, undefined where the filled amount did not grow. */
export function fillBetween(step: Step): Fill | undefined {
  const { before, after, market, feeRates } = step;
  const { exchangeOrderId } = after;
  if (after.filledAmount <= before.filledAmount || exchangeOrderId === undefined) return undefined;
  const traded = tradedBetween(before, step);
  // When a guessed fee was replaced, the fee's growth is not this fill's alone.
  const isOwn = before.guessedFee === undefined || after.guessedFee !== undefined;
  const told = isOwn ? feeGrowth(before, after) : undefined;
  return {
    market: after.market,
    strategy: after.strategy,
    clientOrderId: after.clientOrderId,
    side: after.side,
    exchangeOrderId,
    amount: traded.amount,
    value: traded.value,
    price: traded.price.toNumber(),
    fee: told ?? feeByRate(traded, { order: before, market, feeRates }),
    feeCurrency: feeCurrencyOf(after, step),
    time: after.changedTime,
    ...tagOfOrder(after.tag),
  };
}

/**
 * The correction of an order's fees between two states, beyond the fee of the fill between them: a
 * guess was booked, and the exchange has told otherwise. Undefined where they agree.
 */
export function lateFeeBetween(
  step: Step,
  { fill, time }: { readonly fill: Fill | undefined; readonly time: number },
): LateFee | undefined {
  const { before, after, market } = step;
  const growth = feeGrowth(before, after);
  if (growth === undefined || growth === fill?.fee) return undefined;
  const fee = growth.minus(fill?.fee ?? Decimal.ZERO);
  const { exchangeOrderId } = after;
  if (fee.sign === 0 || exchangeOrderId === undefined) return undefined;
  const feeCurrency = feeCurrencyOf(after, step);
  const filled = tradedDecimal(market, after.filledAmount);
  const priced = (amount: Decimal): Decimal =>
    amount.times(after.filledValue).dividedBy(filled, COST_SCALE, 'nearest');
  const price = priced(Decimal.of(1));
  const value = feeCurrency === market.base ? priced(fee) : fee;
  const { strategy, clientOrderId, side } = after;
  const names = { market: market.id, strategy, clientOrderId, side, exchangeOrderId };
  return { ...names, price: price.toNumber(), fee, feeCurrency, value, time };
}
