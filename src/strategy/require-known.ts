import { StrategyError } from './errors.ts';

/**
 * Refuses unknown options. Types are not checked when a strategy runs: a misspelt `slipage`, or a
 * number in place of the options, would be ignored silently.
 *
 * @throws {StrategyError} with the unknown option and the known ones.
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
