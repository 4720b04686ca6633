import { StrategyError } from './errors.ts';

/**
 * A currency as accounts name it, in lower case: of another a balance would stay zero without a word.
 *
 * @throws {StrategyError} when it is none. Strategies may be JavaScript.
 */
export function requireCurrency(currency: unknown): void {
  const name = typeof currency === 'string' ? currency.toLowerCase() : undefined;
  if (name === currency) return;
  const shown = JSON.stringify(currency);
  const wanted = name ?? 'a name such as usdt';
  throw new StrategyError(`Cannot look at the balance of ${shown}: ${wanted} is wanted`);
}
