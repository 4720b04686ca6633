import type { Market } from '../../../domain/index.ts';
import type { BacktestConfig } from '../config.ts';
import type { Stage } from '../stage.ts';

/** The smallest part of a currency: the fee of an order for so little is all of it. */
const SMALLEST = 1e-8;

/**
 * What strategies still hold at the end of a run that was to close all, though an order could trade
 * it: whole sentences.
 */
export function leftOpen(
  { bot: { sources }, charts, names }: Pick<Stage, 'bot' | 'charts' | 'names'>,
  { closeAtEnd }: Pick<BacktestConfig, 'closeAtEnd'>,
): string[] {
  if (closeAtEnd === 'none') return [];
  const { state, reason } = sources.state;
  const why = state === 'ACTIVE' ? 'the closing order was refused or did not fill' : `${reason}`;
  const prices = charts.columns();
  const { strategies, markets, positions } = sources;
  return [...markets.values()].flatMap((market) => {
    const price = prices.get(market.id)?.close.at(-1) ?? 0;
    return strategies.flatMap(({ name }) => {
      const { amount } = positions.position(market.id, name);
      if (!isTradable(Math.abs(amount.toNumber()), { market, price })) return [];
      const whose = strategies.length === 1 ? '' : `, of ${names.get(name)}`;
      return [`closeAtEnd left ${amount} ${market.base} of ${market.id} open${whose}: ${why}.`];
    });
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
