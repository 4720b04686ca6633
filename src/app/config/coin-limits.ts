import type { Market } from '../../domain/index.ts';
import type { LoadedDeployment } from '../load-deployment.ts';
import { valueAt } from './problems.ts';

/** Limits that count in the quote currency and whose defaults are made for money. */
const OF_MARKET = ['orderValueMax', 'openValueMax', 'positionValueMax'] as const;
const OF_CURRENCY = ['dailyLossMax', 'drawdownMax'] as const;

/**
 * Warnings for traded markets that are quoted in a coin (a base of another market of the exchange)
 * and have limits that nobody has set: a default of 100 would be 100 bitcoins there.
 */
export function coinLimits(
  { config, yaml }: LoadedDeployment,
  all: readonly Market[],
): readonly { readonly market: string; readonly text: string }[] {
  const coins = new Set(all.map(({ base }) => base));
  const isSet = (...path: string[]): boolean =>
    valueAt(yaml.value, ['risk', ...path]) !== undefined;
  return all.flatMap(({ id, quote }) => {
    if (!config.markets.includes(id) || !coins.has(quote)) return [];
    const unset = [
      ...OF_MARKET.filter((key) => !isSet(key) && !isSet('markets', id, key)),
      ...OF_CURRENCY.filter((key) => !isSet(key) && !isSet('currencies', quote, key)),
    ];
    if (unset.length === 0) return [];
    const limits = unset.map((key) => `risk.${key} ${config.risk[key]}`).join(', ');
    const text = `limits of ${id} count in ${quote}, and nobody has set these: ${limits}`;
    return [{ market: id, text: `${text}; set them to what you can lose in ${quote}` }];
  });
}
