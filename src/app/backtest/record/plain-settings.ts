import { isDeepStrictEqual } from 'node:util';
import type { StrategyInstance } from '../../../engine/index.ts';
import type { PlainSettings } from '../../../report/index.ts';
import type { BacktestDeployment } from '../deployment.ts';

/**
 * The effective settings, those that strategies' own schemas added among them. The venue is the one
 * that a backtest has, whatever the file names.
 */
export function plainSettings(
  { config }: BacktestDeployment,
  instances: readonly StrategyInstance[],
): PlainSettings {
  const strategies = config.strategies.map((entry, at) => {
    return { ...entry, params: rewritable(instances[at]!) ?? entry.params };
  });
  const venue = { kind: 'simulated' };
  return JSON.parse(JSON.stringify({ ...config, venue, strategies })) as PlainSettings;
}

/**
 * The parameters as the schema read them, where it reads them the same from a file: one that makes
 * something else of them, as milliseconds of `5m`, does not. Undefined there.
 */
function rewritable({ definition, params }: StrategyInstance): unknown {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(params));
    const again = definition.params.safeParse(plain);
    return again.success && isDeepStrictEqual(again.data, params) ? plain : undefined;
  } catch {
    // No text of them, as of a big integer, or a schema of which a part throws.
    return undefined;
  }
}
