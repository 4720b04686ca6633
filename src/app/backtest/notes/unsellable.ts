import { leastAmount } from '../../../domain/index.ts';
import type { Stage } from '../stage.ts';

/** A rest worth this many times the fees is most of what was traded, not dust of their rounding. */
const FEES_MANY = 10;

/**
 * What strategies hold at the end that is too little for any order, if it is most of what they
 * bought and not dust: whole sentences. A fee taken out of one whole unit leaves such a rest, and a
 * target of 0 counts as reached with it, silently.
 */
export function unsellable({
  bot: { sources },
  charts,
  names,
}: Pick<Stage, 'bot' | 'charts' | 'names'>): string[] {
  const prices = charts.columns();
  const { strategies, markets, positions } = sources;
  return [...markets.values()].flatMap((market) => {
    const { id, base } = market;
    const price = prices.get(id)?.close.at(-1) ?? 0;
    const least = leastAmount(market);
    return strategies.flatMap(({ name }) => {
      const { amount, fees } = positions.position(id, name);
      const held = amount.toNumber();
      if (!(held > 0 && held < least && held * price >= FEES_MANY * fees.toNumber())) return [];
      return [
        `${names.get(name)} is left with ${amount} ${base} in ${id}, less than an order may sell ` +
          `(${least}): fees took a part of what it bought. Set finer steps ` +
          `(backtest.markets.${id}.amountScale) or fees.in: quote.`,
      ];
    });
  });
}
