import type { Market } from '../../domain/index.ts';
import type { BacktestConfig } from './config.ts';
import type { Stage } from './stage.ts';

/** The smallest part of a currency: the fee of an order for so little is all of it. */
const SMALLEST = 1e-8;

/**
 * What strategies still hold at the end of a run that was to close all, though an order could trade
 * it: whole sentences.
 */
export function leftOpen(
  { bot: { sources }, charts }: Pick<Stage, 'bot' | 'charts'>,
  { closeAtEnd }: Pick<BacktestConfig, 'closeAtEnd'>,
): string[] {
  if (closeAtEnd === 'none') return [];
  const { state, reason } = sources.state;
  const why = state === 'ACTIVE' ? 'the closing order was refused or did not fill' : `${reason}`;
  const prices = charts.columns();
  return [...sources.markets.values()].flatMap((market) => {
    const { amount } = sources.positions.position(market.id);
    const price = prices.get(market.id)?.close.at(-1) ?? 0;
    if (!isTradable(Math.abs(amount.toNumber()), { market, price })) return [];
    return [`closeAtEnd left ${amount} ${market.base} of ${market.id} open: ${why}.`];
  });
}

function isTradable(
  amount: number,
  { market, price }: { readonly market: Market; readonly price: number },
): boolean {
  const { minAmount, minSize, amountScale } = market;
  const isEnough = amount >= Math.max(minAmount, 10 ** -amountScale) && amount > SMALLEST;
  return isEnough && amount * price >= minSize;
}
