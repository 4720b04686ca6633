import {
  type Adjustment,
  type Booking,
  type Fill,
  isAdjustment,
  isFill,
  type LateFee,
  type Market,
  type Position,
  type PositionEntry,
  tradedDecimal,
} from '../domain/index.ts';
import { Decimal } from '../kernel/index.ts';

/**
 * The conventions for the fee of an opening fill: `separate` counts every fee in `fees`; `inCost`
 * adds the fee of the opening part to the position's cost, so that the average cost is what was
 * really paid. The net profit is the same either way.
 */
export const FEE_CONVENTIONS = ['separate', 'inCost'] as const;
export type FeeConvention = (typeof FEE_CONVENTIONS)[number];

/** The fields of a fill that accounting reads. */
export type AccountedFill = Pick<Fill, 'side' | 'amount' | 'value' | 'fee' | 'feeCurrency'>;
/** The fields of a late fee that accounting reads. */
export type AccountedFee = Pick<LateFee, 'side' | 'value' | 'fee' | 'feeCurrency'>;

/** Profit in the quote currency: `net` is `realized + unrealized - fees`. */
export interface Profit {
  readonly realized: Decimal;
  readonly unrealized: Decimal;
  readonly fees: Decimal;
  readonly net: Decimal;
}

/** Decimal places of a divided cost. The rounding error of one part is compensated in the other. */
export const COST_SCALE = 18;

/** A position before its first fill. */
export function flatPosition(market: string): Position {
  const zero = Decimal.ZERO;
  return { market, amount: zero, cost: zero, realizedProfit: zero, fees: zero };
}

/** How a booking is accounted. */
interface Accounting {
  readonly market: Market;
  readonly convention?: FeeConvention | undefined;
}

/** The position after a fill, a late fee or an adjustment. */
export function foldEntry(
  position: Position,
  { entry, market }: { readonly entry: PositionEntry; readonly market: Market },
): Position {
  return isAdjustment(entry)
    ? foldAdjustment(position, entry)
    : foldBooking(position, { booking: entry, market });
}

/** The position after a fill or a late fee. */
export function foldBooking(
  position: Position,
  { booking, market, convention }: Accounting & { readonly booking: Booking },
): Position {
  return isFill(booking)
    ? foldFill(position, { fill: booking, market, convention })
    : foldLateFee(position, { lateFee: booking, market, convention });
}

/**
 * The position after a fill, by average cost.
 *
 * A fee in the base currency reduces the amount and is valued at the price of the fill. A fill
 * beyond flat closes the position and opens the rest on the other side at its own price. Exact in
 * sum: `realizedProfit - cost - fees` is the quote currency received less the quote currency paid.
 */
export function foldFill(
  position: Position,
  { fill, market, convention = 'separate' }: Accounting & { readonly fill: AccountedFill },
): Position {
  return foldTrade(position, { trade: tradeOf(fill, market), convention });
}

/**
 * The position after a late fee: as if it had been booked with the fill, as far as the filled
 * amount is still held. A fee in the base currency reduces the amount and is valued at the average
 * price of the order's fills. Amounts closed since then stay as they were booked.
 */
function foldLateFee(
  position: Position,
  { lateFee, market, convention = 'separate' }: Accounting & { readonly lateFee: AccountedFee },
): Position {
  const { side, fee, value, feeCurrency } = lateFee;
  const isInBase = feeCurrency === market.base;
  const amount = isInBase ? fee.negated() : Decimal.ZERO;
  const held = position.amount.plus(amount);
  const opens = side === 'buy' ? 1 : -1;
  if (convention === 'inCost' && position.amount.sign === opens && held.sign === opens) {
    const cost = isInBase ? position.cost : position.cost.plus(value);
    return { ...position, amount: held, cost };
  }
  const trade = { amount, value: isInBase ? value.negated() : Decimal.ZERO, fee: value };
  return foldTrade(position, { trade, convention: 'separate' });
}

/** The position after a person's adjustment: as if the difference had been traded at its value. */
export function foldAdjustment(
  position: Position,
  { before, after, value }: Pick<Adjustment, 'before' | 'after' | 'value'>,
): Position {
  const trade = { amount: after.minus(before), value, fee: Decimal.ZERO };
  return foldTrade(position, { trade, convention: 'separate' });
}

/** The cost of a part of a position, by average cost; negative for a short position. */
export function costOf({ amount, cost }: Position, part: Decimal): Decimal {
  return proportion(cost, part, amount);
}

/** The position after a trade, with the fee of its opening part booked by the convention. */
function foldTrade(
  position: Position,
  { trade, convention }: { readonly trade: SignedTrade; readonly convention: FeeConvention },
): Position {
  const opened = openingPart(position.amount, trade);
  const closed = close(position, {
    amount: trade.amount.minus(opened.amount),
    value: trade.value.minus(opened.value),
  });
  const feeInCost = convention === 'inCost' ? opened.fee : Decimal.ZERO;
  return {
    market: position.market,
    amount: position.amount.plus(trade.amount),
    cost: closed.cost.plus(opened.value).plus(feeInCost),
    realizedProfit: closed.realizedProfit,
    fees: position.fees.plus(trade.fee).minus(feeInCost),
  };
}

/** A position's profit, with the amount held valued at `markPrice`. */
export function profitOf(position: Position, markPrice: number | Decimal): Profit {
  const { amount, cost, realizedProfit: realized, fees } = position;
  const unrealized = amount.times(Decimal.of(markPrice)).minus(cost);
  return { realized, unrealized, fees, net: realized.plus(unrealized).minus(fees) };
}

/** A fill as it moves a position: amount and value signed, positive for a buy. */
interface SignedTrade {
  readonly amount: Decimal;
  /** The amount's worth at the price of the fill. */
  readonly value: Decimal;
  /** In the quote currency. */
  readonly fee: Decimal;
}

function tradeOf(fill: AccountedFill, market: Market): SignedTrade {
  const filled = tradedDecimal(market, fill.amount);
  const buys = fill.side === 'buy';
  const amount = buys ? filled : filled.negated();
  const value = buys ? fill.value : fill.value.negated();
  if (fill.feeCurrency !== market.base) return { amount, value, fee: fill.fee };
  const fee = fill.fee.times(fill.value).dividedBy(filled, COST_SCALE, 'nearest');
  return { amount: amount.minus(fill.fee), value: value.minus(fee), fee };
}

/** The part of a trade that does not close what is held. */
function openingPart(held: Decimal, trade: SignedTrade): SignedTrade {
  if (held.sign === 0 || held.sign === trade.amount.sign) return trade;
  const rest = held.plus(trade.amount);
  const amount = rest.sign === trade.amount.sign ? rest : Decimal.ZERO;
  return {
    amount,
    value: proportion(trade.value, amount, trade.amount),
    fee: proportion(trade.fee, amount, trade.amount),
  };
}

/**
 * Realizes the profit of the part that a trade closes. The cost left is that of the amount left.
 */
function close(position: Position, closing: Pick<SignedTrade, 'amount' | 'value'>) {
  const released = costOf(position, closing.amount.negated());
  return {
    cost: position.cost.minus(released),
    realizedProfit: position.realizedProfit.minus(closing.value).minus(released),
  };
}

/** `total * part / whole`: exactly `total` for the whole, zero for no part. */
function proportion(total: Decimal, part: Decimal, whole: Decimal): Decimal {
  if (part.sign === 0) return Decimal.ZERO;
  if (part.equals(whole)) return total;
  return total.times(part).dividedBy(whole, COST_SCALE, 'nearest');
}
