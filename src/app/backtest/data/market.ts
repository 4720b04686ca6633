import { currenciesOf, type Market } from '../../../domain/index.ts';
import type { PriceRange, Scales } from '../../../history/index.ts';
import { Decimal, messageOf, UNITS_MAX } from '../../../kernel/index.ts';
import { finestAmountScale, isRoomy, requireScales, type Worth } from '../../../sim/index.ts';
import { AppError } from '../../errors.ts';
import type { BacktestDeployment } from '../deployment.ts';

/** Room above the highest price before a whole number of units leaves its range. */
const HEADROOM = 100;

export interface MarketParts {
  readonly deployment: BacktestDeployment;
  /** Those of the data. */
  readonly scales: Scales;
  /** Undefined where it is not known. */
  readonly worth: Worth | undefined;
}

/** The market of some data: by its rules in the deployment, else as its prices and amounts are. */
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
  /** How low and how high the prices are: undefined where there are none. */
  readonly range: () => Promise<PriceRange | undefined>;
}

/** What the coin of a market is worth, where it counts: of fine prices, fine amounts, much money. */
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
  // All that there is to buy a coin with: what is held of it too, by its highest price.
  return prices && { ...prices, money: heldOf(quote) + heldOf(base) * prices.highest };
}

/**
 * Refuses a market whose prices or values cannot be held exactly.
 *
 * @throws {AppError} `configuration`, with the settings that change it.
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

/** The most decimal places of prices that leave room above them. */
function usualScaleMax(worth: Worth | undefined): number {
  if (worth === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.floor(Math.log10(UNITS_MAX / HEADROOM / worth.highest)));
}
