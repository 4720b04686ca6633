import type { Fill } from '../../domain/index.ts';

/** Digits of the average price of a fill in words: its other digits are noise to people. */
const SHOWN_DIGITS = 10;

/** What an order has traded, for people. */
export function fillText({ market, strategy, side, amount, price }: Fill): string {
  const did = side === 'buy' ? 'bought' : 'sold';
  return `${strategy} ${did} ${amount} in ${market} at ${Number(price.toPrecision(SHOWN_DIGITS))}`;
}
