import type { Decimal } from '../kernel/index.ts';
import type { Side } from './market.ts';

/** Charges of an order beyond a percentage of each trade's value, in the quote currency. */
export interface OrderCharges {
  /** Charged once for each order that trades. */
  readonly perOrder: Decimal;
  /** Charged for each unit of the base currency traded. */
  readonly perUnit: Decimal;
  /** Minimum charge for an order that trades. */
  readonly least: Decimal;
  /** Maximum charge, as a fraction of the value traded; overrides `least`. Default: none. */
  readonly most?: Decimal | undefined;
  /** Taxes on top of those, as fractions of the value bought or sold. Default: none. */
  readonly buyTax?: Decimal | undefined;
  readonly sellTax?: Decimal | undefined;
  /**
   * Decimal places to which the commission and the tax are each rounded, to the nearest. Default:
   * the decimal places of the currency, rounding up.
   */
  readonly scale?: number | undefined;
}

/** The amount of an order that has traded, or would have traded. */
export interface ChargedTrades {
  readonly side: Side;
  /** The percentage fees of its trades in sum, in the quote currency. */
  readonly share: Decimal;
  /** Base currency traded. */
  readonly amount: Decimal;
  /** Quote currency traded. */
  readonly value: Decimal;
  /** Decimal places of the quote currency, to which charges are rounded up. */
  readonly scale: number;
}

/**
 * The total fee of an order that traded that much, in the quote currency, with `scale` decimal
 * places. A fill is charged the increase. The fee grows with share, amount and value; when only
 * `share` grows, the fee grows by no more than that, apart from rounding.
 */
export function chargedFee(charges: OrderCharges, traded: ChargedTrades): Decimal {
  const { value, side } = traded;
  const tax = side === 'buy' ? charges.buyTax : charges.sellTax;
  const scale = Math.min(charges.scale ?? traded.scale, traded.scale);
  const rounding = charges.scale === undefined ? 'up' : 'nearest';
  const commission = commissionOf(charges, traded).round(scale, rounding);
  const fee =
    tax === undefined ? commission : commission.plus(value.times(tax).round(scale, rounding));
  return fee.round(traded.scale, 'up');
}

function commissionOf(
  { perOrder, perUnit, least, most }: OrderCharges,
  { share, amount, value, scale }: ChargedTrades,
): Decimal {
  const sum = perOrder.plus(perUnit.times(amount).round(scale, 'up')).plus(share);
  const fee = (sum.compare(least) < 0 ? least : sum).round(scale, 'up');
  if (most === undefined) return fee;
  const cap = value.times(most).round(scale, 'up');
  return cap.compare(fee) < 0 ? cap : fee;
}
