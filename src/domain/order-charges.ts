import type { Decimal } from '../kernel/index.ts';
import type { Side } from './market.ts';

/** What orders are charged beyond a share of each trade's value, in the quote currency. */
export interface OrderCharges {
  /** Once an order that trades. */
  readonly perOrder: Decimal;
  /** For each unit of the base currency that trades. */
  readonly perUnit: Decimal;
  /** The least that an order is charged that trades. */
  readonly least: Decimal;
  /** The most, as a fraction of the value that trades, whatever `least` says. Default: none. */
  readonly most?: Decimal | undefined;
  /** Taxes, as fractions of the value that is bought or sold, beside all of that. Default: none. */
  readonly buyTax?: Decimal | undefined;
  readonly sellTax?: Decimal | undefined;
  /**
   * Decimal places to which all that and a tax are rounded, to the nearest. Default: those of the
   * currency, up.
   */
  readonly scale?: number | undefined;
}

/** What has traded of an order, or will have. */
export interface ChargedTrades {
  readonly side: Side;
  /** The sum of the shares that its trades are charged, in the quote currency. */
  readonly share: Decimal;
  /** Base currency traded. */
  readonly amount: Decimal;
  /** Quote currency traded. */
  readonly value: Decimal;
  /** Decimal places of the quote currency, which a charge is rounded up to. */
  readonly scale: number;
}

/**
 * The whole fee of an order that traded that much, in the quote currency, with `scale` decimal places:
 * a fill is charged what it adds to it. It grows with each of the three; where `share` grows alone, by
 * no more than that does, but for what is rounded.
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
