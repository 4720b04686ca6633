import { isTradable } from '../../../domain/index.ts';
import type { BacktestConfig } from '../config.ts';
import { OpenTrades } from '../open-trades.ts';
import type { Stage } from '../stage.ts';

/**
 * What open trades still hold after `closeAtEnd` was to close them, if it is enough for an order:
 * whole sentences.
 */
export function leftOpen(
  stage: Pick<Stage, 'bot' | 'charts' | 'names' | 'recorder' | 'sources'>,
  { closeAtEnd }: Pick<BacktestConfig, 'closeAtEnd'>,
): string[] {
  if (closeAtEnd === 'none') return [];
  const { charts, names } = stage;
  const { sources } = stage.bot;
  const trades = new OpenTrades(stage);
  const { state, reason } = sources.state;
  const why = state === 'ACTIVE' ? 'the closing order was refused or did not fill' : `${reason}`;
  const prices = charts.columns();
  const { strategies, markets, positions } = sources;
  return [...markets.values()].flatMap((market) => {
    const price = prices.get(market.id)?.close.at(-1) ?? 0;
    return strategies.flatMap(({ name }) => {
      const { amount } = positions.position(market.id, name);
      const isLeft = isTradable(market, { size: Math.abs(amount.toNumber()), price });
      if (!isLeft || !trades.has(name, market.id)) return [];
      const whose = strategies.length === 1 ? '' : `, of ${names.get(name)}`;
      return [`closeAtEnd did not close ${amount} ${market.base} in ${market.id}${whose}: ${why}.`];
    });
  });
}
