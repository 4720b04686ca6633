import { currenciesOf, type Market } from '../../domain/index.ts';
import { type Dataset, highestPriceOf, type Scales } from '../../history/index.ts';
import { messageOf, UNITS_MAX } from '../../kernel/index.ts';
import { finestAmountScale, requireScales } from '../../sim/index.ts';
import { AppError } from '../errors.ts';
import { onDisk } from '../history/disk.ts';
import type { BacktestDeployment } from './deployment.ts';

/** Room above the highest price before a whole number of units leaves its range. */
const HEADROOM = 100;

export interface MarketParts {
  readonly deployment: BacktestDeployment;
  /** Those of the data. */
  readonly scales: Scales;
  /** Undefined where it is not known. */
  readonly highestPrice: number | undefined;
}

/** The market of some data: by its rules in the deployment, else as its prices and amounts are. */
export function marketOf(id: string, { deployment, scales, highestPrice }: MarketParts): Market {
  const rules = deployment.backtest.markets[id];
  const priceScale = rules?.priceScale ?? Math.min(scales.priceScale, usualScaleMax(highestPrice));
  const finest = finestAmountScale(priceScale, highestPrice);
  return {
    id,
    ...currenciesOf(id),
    priceScale,
    amountScale: rules?.amountScale ?? Math.min(finest, scales.amountScale),
    minAmount: rules?.minAmount ?? 0,
    minSize: rules?.minSize ?? 0,
  };
}

/** The highest price of a dataset, where its prices are so fine that it counts how high they are. */
export async function heightOf(
  id: string,
  { deployment, dataset }: { readonly deployment: BacktestDeployment; readonly dataset: Dataset },
): Promise<number | undefined> {
  const ofPrices = deployment.backtest.markets[id]?.priceScale ?? 0;
  const finest = Math.max(dataset.priceScale, ofPrices);
  if (finestAmountScale(finest) === finestAmountScale(0)) return undefined;
  return onDisk(`replay ${dataset.id}`, () => highestPriceOf(dataset));
}

/**
 * Refuses a market whose prices or values cannot be held exactly.
 *
 * @throws {AppError} `configuration`, with the settings that change it.
 */
export function requireHeld(
  market: Market,
  { highestPrice, place }: Pick<MarketParts, 'highestPrice'> & { readonly place: string },
): void {
  const { id, priceScale } = market;
  const setting = `backtest.markets.${id}.priceScale`;
  try {
    requireScales(market);
  } catch (cause) {
    const what = `${messageOf(cause)} (${setting} and .amountScale set them)`;
    throw new AppError('configuration', `${place}: ${what}`, { cause });
  }
  if (highestPrice === undefined || highestPrice * 10 ** priceScale < UNITS_MAX) return;
  const what =
    `Cannot open the market ${id}: its prices go up to ${highestPrice}, which leaves no room for ` +
    `${priceScale} decimal places, ${setting}: ${usualScaleMax(highestPrice)} or less is wanted`;
  throw new AppError('configuration', `${place}: ${what}`);
}

/** The most decimal places of prices that leave room above them. */
function usualScaleMax(highestPrice: number | undefined): number {
  if (highestPrice === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor(Math.log10(UNITS_MAX / HEADROOM / highestPrice)));
}
