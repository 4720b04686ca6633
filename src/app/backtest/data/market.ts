import { currenciesOf, type Market } from '../../../domain/index.ts';
import type { PriceRange, Scales } from '../../../history/index.ts';
import { Decimal, messageOf, UNITS_MAX } from '../../../kernel/index.ts';
import { finestAmountScale, isRoomy, requireScales, type Worth } from '../../../sim/index.ts';
import { AppError } from '../../errors.ts';
import type { BacktestDeployment } from '../deployment.ts';

/** How many times the highest price must still fit into a whole number of units. */
const HEADROOM = 100;

export interface MarketParts {
  readonly deployment: BacktestDeployment;
  /** The scales of the data. */
  readonly scales: Scales;
  /** What the coin is worth; undefined where that is not known. */
  readonly worth: Worth | undefined;
}

/** The market of some data: by its rules in the deployment, else by the scales of the data. */
export function marketOf(id: string, { deployment, scales, worth }: MarketParts): Market {
  const rules = deployment.backtest.markets[id];
  const priceScale = rules?.priceScale ?? Math.min(scales.priceScale, usualScaleMax(worth));
  const finest = finestAmountScale(priceScale, worth);
  return {
    id,
    ...currenciesOf(id),
    priceScale,
    amountScale: rules?.amountScale ?? Math.min(finest, scales.amountScale),
    minAmount: rules?.minAmount ?? 0,
    minSize: rules?.minSize ?? 0,
  };
}

export interface WorthParts {
  readonly deployment: BacktestDeployment;
  /** Decimal places of the prices. */
  readonly priceScale: number;
  /** The lowest and the highest price; undefined where there are none. */
  readonly range: () => Promise<PriceRange | undefined>;
}

/** What the coin of a market is worth; undefined where scales and money leave room at any price. */
export async function worthOf(
  id: string,
  { deployment, priceScale, range }: WorthParts,
): Promise<Worth | undefined> {
  const { balances, lent, markets } = deployment.backtest;
  const { base, quote } = currenciesOf(id);
  const heldOf = (currency: string): number =>
    [balances, lent].reduce((sum, held) => sum + Decimal.of(held[currency] ?? 0).toNumber(), 0);
  const { priceScale: scaleSet = 0, amountScale = 0 } = markets[id] ?? {};
  const finest = { priceScale: Math.max(priceScale, scaleSet), amountScale };
  if (heldOf(base) === 0 && isRoomy(finest, heldOf(quote))) return undefined;
  const prices = await range();
  // All the money there can be for the coin: coins held count too, at the highest price.
  return prices && { ...prices, money: heldOf(quote) + heldOf(base) * prices.highest };
}

/**
 * Refuses a market whose prices or values cannot be held exactly.
 *
 * @throws {AppError} `configuration`, naming the settings that change it.
 */
export function requireHeld(
  market: Market,
  { worth, place }: Pick<MarketParts, 'worth'> & { readonly place: string },
): void {
  const { id, priceScale } = market;
  const setting = `backtest.markets.${id}.priceScale`;
  try {
    requireScales(market, worth);
  } catch (cause) {
    const what = `${messageOf(cause)} (${setting} and .amountScale set them)`;
    throw new AppError('configuration', `${place}: ${what}`, { cause });
  }
  if (worth === undefined || worth.highest * 10 ** priceScale < UNITS_MAX) return;
  const what =
    `Cannot open the market ${id}: its prices go up to ${worth.highest}, which leaves no room for ` +
    `${priceScale} decimal places, ${setting}: ${usualScaleMax(worth)} or less is wanted`;
  throw new AppError('configuration', `${place}: ${what}`);
}

/** Most decimal places of prices by default: more would leave no headroom above the highest. */
function usualScaleMax(worth: Worth | undefined): number {
  if (worth === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor(Math.log10(UNITS_MAX / HEADROOM / worth.highest)));
}
