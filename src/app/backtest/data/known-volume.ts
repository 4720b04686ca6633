import { marketLimitsOf } from '../../../risk/index.ts';
import { AppError } from '../../errors.ts';
import type { BacktestDeployment } from '../deployment.ts';
import type { Source } from './source.ts';

/**
 * What a market has traded of late is known of its trades, or of candles that are no longer than the
 * window: risk would take a market of longer ones, or of quotes, for one in which nothing trades.
 *
 * @throws {AppError} `configuration` where candles are longer, and of quotes.
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
