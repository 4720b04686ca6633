import { counted } from '../../../kernel/index.ts';
import type { StrategyStatus } from '../../status/status.ts';

/**
 * A sentence for each strategy that lasted and never wished: the data may lack what it waits for,
 * or it may have seen too little of them. `told`: strategies whose silence is explained elsewhere.
 */
export function silentNotes(
  strategies: readonly StrategyStatus[],
  told: ReadonlySet<string>,
): string[] {
  return strategies
    .filter(({ wishes, status }) => wishes === 0 && status !== 'failed' && status !== 'ended')
    .filter(({ name }) => !told.has(name))
    .map(({ name, books, candles }) => {
      const seen = [
        ...(books > 0 ? [counted(books, 'book')] : []),
        ...(candles > 0 ? [counted(candles, 'candle')] : []),
      ];
      return `Strategy ${name} made no wish: it saw ${seen.join(' and ') || 'nothing'}.`;
    });
}
