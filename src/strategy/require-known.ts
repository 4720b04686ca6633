import { StrategyError } from './errors.ts';

/**
 * Types are not looked at when a strategy runs: an option that is not known, such as `slipage`, or a
 * number in place of the options would count for nothing without a word.
 *
 * @throws {StrategyError} with what is not known and the options that there are.
 */
export function requireKnown(action: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    const what = `the options are ${options}, an object with some of ${known.join(', ')} is wanted`;
    throw new StrategyError(`Cannot ${action}: ${what}`);
  }
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const what = `the option ${option} is not known, one of ${known.join(', ')} is wanted`;
    throw new StrategyError(`Cannot ${action}: ${what}`);
  }
}
