import { isDeepStrictEqual } from 'node:util';
import type { StrategyInstance } from '../../../engine/index.ts';
import type { PlainSettings } from '../../../report/index.ts';
import type { BacktestDeployment } from '../deployment.ts';

/**
 * The effective settings, including the defaults that strategies' own schemas added. The venue is
 * always `simulated`, whatever the file names.
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
 * The parsed parameters, if the schema reads them from a file as the same again. Undefined where it
 * does not, as when it turned `5m` into milliseconds.
 */
function rewritable({ definition, params }: StrategyInstance): unknown {
  try {
    const plain: unknown = JSON.parse(JSON.stringify(params));
    const again = definition.params.safeParse(plain);
    return again.success && isDeepStrictEqual(again.data, params) ? plain : undefined;
  } catch {
    // JSON cannot hold them, such as a big integer, or the schema throws.
    return undefined;
  }
}
