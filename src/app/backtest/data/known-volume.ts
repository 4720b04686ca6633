import { marketLimitsOf } from '../../../risk/index.ts';
import { AppError } from '../../errors.ts';
import type { BacktestDeployment } from '../deployment.ts';
import type { Source } from './source.ts';

/**
 * Checks that the recent volume of a market is known where risk limits orders by it: from trades,
 * or from candles no longer than the window. With longer candles or with quotes risk would believe
 * that nothing trades.
 *
 * @throws {AppError} `configuration` for longer candles and for quotes.
 */
export function requireKnownVolume(
  { config: { risk }, yaml }: BacktestDeployment,
  sources: readonly Source[],
): void {
  for (const source of sources) {
    const { id } = source.market;
    const { volumeShareMax, volumeWindowMs } = marketLimitsOf(risk, id);
    if (volumeShareMax === undefined || !isUnknown(source, volumeWindowMs)) continue;
    const isOwn = risk.markets[id]?.volumeShareMax !== undefined;
    const place = yaml.locate(isOwn ? ['risk', 'markets', id] : ['risk'], 'volumeShareMax');
    const what = `Cannot tell what ${id} trades in ${volumeWindowMs} ms: ${source.name} has`;
    throw new AppError(
      'configuration',
      source.kind === 'candles'
        ? `${place}: ${what} candles of ${source.interval}, risk.volumeWindowMs of at least ` +
            `${source.stepMs} or shorter candles are wanted`
        : `${place}: ${what} ${source.kind}, trades, depth or candles are wanted`,
    );
  }
}

function isUnknown({ kind, stepMs }: Source, windowMs: number): boolean {
  return kind === 'quotes' || (kind === 'candles' && stepMs > windowMs);
}
