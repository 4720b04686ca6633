import {
  amountDecimal,
  exchangeOrderIdOf,
  type Fill,
  type Market,
  type OrderNews,
  type OrderState,
  orderValue,
  subtractAmounts,
} from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';

/** Fees as fractions of what is traded: 0.002 is 0.2 percent. Not negative. */
export interface FeeRates {
  readonly maker: number;
  readonly taker: number;
  /** The currency they are charged in. Default: `received`, that which a fill brings in. */
  readonly in?: 'received' | 'base' | 'quote' | undefined;
}

/** Decimal places to which the venue rounds a fee up. */
const FEE_SCALE = 8;

/**
 * The news with a filled value that can be true: where the filled amount grew and the value did
 * not, the growth is valued at the order's own price, the worst that it can have traded at.
 */
export function withSoundValue(market: Market, order: OrderState, news: OrderNews): OrderNews {
  if (news.kind !== 'record' || news.filledAmount <= order.filledAmount) return news;
  if (news.filledValue.compare(order.filledValue) > 0) return news;
  const amount = subtractAmounts(market, news.filledAmount, order.filledAmount);
  const growth = orderValue(market, { price: order.price, amount });
  return { ...news, filledValue: order.filledValue.plus(growth) };
}

/** The fill between two states of an order, undefined where the filled amount did not grow. */
export function fillBetween(options: {
  readonly before: OrderState;
  readonly after: OrderState;
  readonly market: Market;
  readonly feeRates: FeeRates;
}): Fill | undefined {
  const { before, after, market, feeRates } = options;
  const exchangeOrderId = exchangeOrderIdOf(after);
  if (after.filledAmount <= before.filledAmount || exchangeOrderId === undefined) return undefined;
  const amount = subtractAmounts(market, after.filledAmount, before.filledAmount);
  const exactAmount = amountDecimal(market, amount);
  const value = after.filledValue.minus(before.filledValue);
  const price = value.dividedBy(exactAmount, market.priceScale + FEE_SCALE, 'nearest');
  const { in: charged = 'received' } = feeRates;
  const isInBase = charged === 'received' ? after.side === 'buy' : charged === 'base';
  const feeByRate = (): Decimal => {
    const rate = Decimal.of(isTaker(before, price) ? feeRates.taker : feeRates.maker);
    return (isInBase ? exactAmount : value).times(rate).round(FEE_SCALE, 'up');
  };
  return {
    market: after.market,
    strategy: after.strategy,
    clientOrderId: after.clientOrderId,
    exchangeOrderId,
    side: after.side,
    amount,
    value,
    price: price.toNumber(),
    fee: feeTold(before, after) ?? feeByRate(),
    feeCurrency: isInBase ? market.base : market.quote,
    time: after.changedTime,
  };
}

/** The growth of the fee that the exchange told, undefined where it did not tell both ends of it. */
function feeTold(before: OrderState, after: OrderState): Decimal | undefined {
  if (before.filledAmount === 0) return after.fee;
  if (before.fee === undefined || after.fee === undefined) return undefined;
  const growth = after.fee.minus(before.fee);
  return growth.sign < 0 ? undefined : growth;
}

/**
 * Whether a fill is charged as taken where the venue does not tell the fee; a plain limit order is judged by its
 * fill: taken where it came before the order was known to rest or at a price better than its own.
 */
function isTaker(before: OrderState, price: Decimal): boolean {
  switch (before.type) {
    case 'postOnly':
      return false;
    case 'ioc':
      return true;
    case 'limit':
      return (
        exchangeOrderIdOf(before) === undefined || !price.equals(Decimal.of(Number(before.price)))
      );
    default:
      return before.type satisfies never;
  }
}
