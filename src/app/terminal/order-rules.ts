import type { Market } from '../../domain/index.ts';
import { Decimal, UNITS_MAX } from '../../kernel/index.ts';

/** The first rule of the market that an order breaks, in words; undefined where it keeps all. */
export function brokenRule(
  market: Market,
  { price, amount }: { readonly price: Decimal; readonly amount: Decimal },
): string | undefined {
  const { priceScale, amountScale, minAmount, minSize, base, quote } = market;
  const value = price.times(amount);
  if (!fits(price, priceScale)) {
    return `the price is ${price}, a multiple of ${step(priceScale)} above 0 is wanted`;
  }
  if (!fits(amount, amountScale)) {
    return `the amount is ${amount}, a multiple of ${step(amountScale)} above 0 is wanted`;
  }
  if (amount.compare(Decimal.of(minAmount)) < 0) {
    return `the amount is ${amount} ${base}, at least ${Decimal.of(minAmount)} is wanted`;
  }
  if (value.compare(Decimal.of(minSize)) < 0) {
    return `the value is ${value} ${quote}, at least ${Decimal.of(minSize)} is wanted`;
  }
  return undefined;
}

/** Whether a value is above 0, on the scale, and within what its double holds exactly. */
function fits(value: Decimal, scale: number): boolean {
  const rounded = value.round(scale, 'down');
  return value.sign > 0 && value.equals(rounded) && rounded.units < BigInt(UNITS_MAX);
}

function step(scale: number): string {
  return new Decimal(1n, scale).toString();
}
