import { INTERVALS, type Interval } from '../domain/index.ts';
import { StrategyError } from './errors.ts';

/**
 * Of another length no candle would ever come, without a word.
 *
 * @throws {StrategyError} when it is none. Strategies may be JavaScript.
 */
export function requireInterval(interval: Interval): void {
  if (INTERVALS.includes(interval)) return;
  const wanted = `one of ${INTERVALS.join(', ')} is wanted`;
  throw new StrategyError(`Cannot look at candles of "${interval}": ${wanted}`);
}
