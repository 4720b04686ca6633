import type { TradingEvent } from '../../domain/index.ts';
import type { StrategyInstance } from '../../engine/index.ts';
import { type Bus, Decimal, type Logger } from '../../kernel/index.ts';
import type { PositionLedger } from '../../ledger/index.ts';

/**
 * Logs what a strategy holds that ended while the run goes on: its orders are cancelled, but no
 * stop-loss of its own watches the position any more.
 */
export function tellAbandoned(options: {
  readonly bus: Bus<TradingEvent>;
  readonly positions: Pick<PositionLedger, 'position'>;
  readonly strategies: readonly Pick<StrategyInstance, 'name' | 'markets'>[];
  readonly logger: Logger;
}): void {
  const { bus, positions, strategies, logger } = options;
  bus.on('strategy').subscribe(({ strategy, status }) => {
    if (status !== 'failed' && status !== 'ended') return;
    const own = strategies.find(({ name }) => name === strategy)?.markets ?? [];
    for (const { id: market, base, minAmount } of own) {
      const { amount } = positions.position(market, strategy);
      // Less than an order can trade is dust that fees left.
      if (amount.sign === 0 || amount.abs().compare(Decimal.of(minAmount)) < 0) continue;
      const text = `${strategy} is over and holds ${amount} ${base} in ${market}: nothing closes this`;
      logger.error({ strategy, market }, text);
    }
  });
}
