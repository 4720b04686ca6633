import { counted } from '../../../kernel/index.ts';
import type { StrategyStatus } from '../../status/status.ts';

/**
 * A sentence for each strategy that lasted and never wished: what it waits for may not be in the
 * data, or it may have seen too little. `told`: those of which that is said in other words.
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
      return `Strategy ${name} wished nothing: it saw ${seen.join(' and ') || 'nothing'}.`;
    });
}
