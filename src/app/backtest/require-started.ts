import type { StrategyReport } from '../../engine/index.ts';
import { AppError } from '../errors.ts';
import type { BacktestDeployment } from './deployment.ts';

/**
 * Ends a run in which a strategy failed before the first row: it asks for data that are not there,
 * or is broken. `reports` are in the order of the configuration.
 *
 * @throws {AppError} `strategy`, one line for each that failed.
 */
export function requireStarted(
  reports: readonly StrategyReport[],
  { yaml }: BacktestDeployment,
): void {
  const lines = reports.flatMap(({ name, status, reason }, index) =>
    status === 'failed'
      ? [`${yaml.locate(['strategies', index])}: Cannot start strategy "${name}": ${reason}`]
      : [],
  );
  if (lines.length > 0) throw new AppError('strategy', lines.join('\n'));
}
