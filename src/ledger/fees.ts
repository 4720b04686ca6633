import {
  amountOf,
  chargedFee,
  type Market,
  type OrderCharges,
  type OrderState,
  type OrderTerms,
  type RecordNews,
  tradedDecimal,
} from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';
import { type Traded, tradedBetween } from './traded.ts';

/** Fees as fractions of what is traded: 0.002 is 0.2 percent. Not negative. */
export interface FeeRates {
  readonly maker: number;
  readonly taker: number;
  /**
   * The currency that fees are charged in. Default: `received`, the currency that a fill brings in.
   */
  readonly in?: 'received' | 'base' | 'quote' | undefined;
  /** Charges beyond these rates, where fees are in the quote currency. Default: none. */
  readonly charges?: OrderCharges | undefined;
  /** Decimal places of each currency, to which fees are rounded up. Default of each: 8. */
  readonly scales?: ReadonlyMap<string, number> | undefined;
}

/** What a fee depends on. */
export interface FeeTerms {
  readonly market: Market;
  readonly feeRates: FeeRates;
}

/** Also the order as it stood before the trade whose fee is wanted. */
export interface OrderFeeTerms extends FeeTerms {
  readonly order: OrderState;
}

/** The exchange's default rate for maker and taker. Source: wire facts, Fee. */
const USUAL_RATE = 0.002;
/** Highest credible multiple of the dearest rate: a higher fee must be in another currency. */
const RATE_FACTOR_MAX = 10;

/** Decimal places to which the venue rounds a fee up. */
const USUAL_SCALE = 8;

function scaleOf(currency: string, { scales }: FeeRates): number {
  return scales?.get(currency) ?? USUAL_SCALE;
}

/**
 * The news with a guessed fee, where the filled amount grew and no fee, or a smaller one than
 * before, was told: the fee so far plus a guess by rate for the growth. No guess where the fee of
 * fills from before the order was ours is not known.
 */
export function withGuessedFee(news: RecordNews, terms: OrderFeeTerms): RecordNews {
  const { order, market } = terms;
  if (news.filledAmount <= order.filledAmount) return news;
  const { fee = Decimal.ZERO, guessedFee = Decimal.ZERO } = order;
  const isTold = news.fee !== undefined && news.fee.compare(fee.minus(guessedFee)) >= 0;
  if (isTold || (order.fee === undefined && order.filledAmount > 0)) return news;
  const traded = tradedBetween(order, { after: news, market });
  const guess = feeByRate(traded, terms);
  return { ...news, fee: fee.plus(guess), guessedFee: guessedFee.plus(guess) };
}

/**
 * The highest credible fee for what a record tells as filled: ten times the dearest rate, counting
 * the exchange's default rate. The check is needed as the contract does not tell the currency of
 * fees.
 */
export function feeMax(news: Filled, terms: OrderFeeTerms): Decimal {
  const { maker, taker, charges } = terms.feeRates;
  const rate = Decimal.of(Math.max(maker, taker, USUAL_RATE)).times(Decimal.of(RATE_FACTOR_MAX));
  const scale = scaleOf(feeCurrencyOf(terms.order, terms), terms.feeRates);
  const share = filledOf(news, terms).times(rate).round(scale, 'up');
  if (charges === undefined) return share;
  const amount = tradedDecimal(terms.market, news.filledAmount);
  const { side } = terms.order;
  return chargedFee(charges, { side, share, amount, value: news.filledValue, scale });
}

/**
 * The highest credible minimum fee, or fee rounded up to the exchange's step: the value of the
 * market's smallest order, but no more than was filled.
 */
export function leastFeeMax(news: Filled, terms: OrderFeeTerms): Decimal {
  const { order, market } = terms;
  const { amountScale, minAmount, minSize } = market;
  const step = 10 ** -amountScale;
  const amount = amountOf(market, Math.max(minAmount, minSize / order.price, step), 'up');
  const value = tradedDecimal(market, amount).times(Decimal.of(Number(order.price)));
  const least = filledOf({ filledAmount: amount, filledValue: value }, terms);
  const filled = filledOf(news, terms);
  return least.compare(filled) < 0 ? least : filled;
}

/** An order's filled amount and its value. */
type Filled = Pick<RecordNews, 'filledAmount' | 'filledValue'>;

/** The fills, in the currency of their fee. */
function filledOf({ filledAmount, filledValue }: Filled, terms: OrderFeeTerms): Decimal {
  const { order, market } = terms;
  const isInBase = feeCurrencyOf(order, terms) === market.base;
  return isInBase ? tradedDecimal(market, filledAmount) : filledValue;
}

/** An order's terms and its fills so far. */
type Ordered = Pick<OrderTerms, 'side' | 'price' | 'amount'> &
  Partial<Pick<OrderState, 'filledAmount' | 'filledValue' | 'fee'>>;

/**
 * The most that an order may still be charged, in the quote currency, if the rest of it fills at
 * its own price; undefined where fees are only a percentage of each trade.
 */
export function chargedAhead(order: Ordered, { market, feeRates }: FeeTerms): Decimal | undefined {
  const { maker, taker, charges } = feeRates;
  if (charges === undefined) return undefined;
  const {
    side,
    price,
    amount: ordered,
    filledAmount = 0,
    filledValue = Decimal.ZERO,
    fee = Decimal.ZERO,
  } = order;
  const amount = tradedDecimal(market, ordered);
  const rest = amount.minus(tradedDecimal(market, filledAmount));
  const scale = scaleOf(market.quote, feeRates);
  const cost = rest.times(Decimal.of(price)).round(scale, 'up');
  const value = filledValue.plus(cost);
  const share = value.times(Decimal.of(Math.max(maker, taker))).round(scale, 'up');
  return chargedFee(charges, { side, share, amount, value, scale }).minus(fee);
}

/** The increase of an order's fee between two states; undefined where either fee is not known. */
export function feeGrowth(before: OrderState, after: OrderState): Decimal | undefined {
  if (before.filledAmount === 0) return after.fee;
  if (before.fee === undefined || after.fee === undefined) return undefined;
  return after.fee.minus(before.fee);
}

/** The fee of new fills of an order, by rate and by the charges beyond it. */
export function feeByRate(traded: Traded, terms: OrderFeeTerms): Decimal {
  const { order, market, feeRates } = terms;
  const rate = Decimal.of(isTaker(order, traded.price) ? feeRates.taker : feeRates.maker);
  const currency = feeCurrencyOf(order, terms);
  const scale = scaleOf(currency, feeRates);
  if (feeRates.charges !== undefined) {
    const value = order.filledValue.plus(traded.value);
    const amount = tradedDecimal(market, order.filledAmount).plus(traded.exactAmount);
    const share = value.times(rate).round(scale, 'up');
    const { side } = order;
    const fee = chargedFee(feeRates.charges, { side, share, amount, value, scale });
    const growth = fee.minus(order.fee ?? Decimal.ZERO);
    return growth.sign < 0 ? Decimal.ZERO : growth;
  }
  const charged = currency === market.base ? traded.exactAmount : traded.value;
  return charged.times(rate).round(scale, 'up');
}

export function feeCurrencyOf({ side }: OrderState, { market, feeRates }: FeeTerms): string {
  const { in: charged = 'received' } = feeRates;
  const isInBase = charged === 'received' ? side === 'buy' : charged === 'base';
  return isInBase ? market.base : market.quote;
}

/**
 * Whether a guessed fee of the order may be wrong though the rates are right: nobody has told
 * whether a plain limit order was maker or taker.
 */
export function isFeeInDoubt(
  { type, guessedFee }: OrderState,
  { maker, taker }: FeeRates,
): boolean {
  return guessedFee !== undefined && type === 'limit' && maker !== taker;
}

/**
 * Whether a fill pays the taker's rate, where the venue does not tell the fee. A plain limit order
 * counts as taker if the fill came before the order was known to rest, or at a better price than
 * its own.
 */
function isTaker(before: OrderState, price: Decimal): boolean {
  switch (before.type) {
    case 'postOnly':
      return false;
    case 'ioc':
      return true;
    case 'limit':
      return (
        before.exchangeOrderId === undefined || !price.equals(Decimal.of(Number(before.price)))
      );
    default:
      return before.type satisfies never;
  }
}
