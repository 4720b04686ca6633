import { currenciesOf, type Refusal } from '../../domain/index.ts';
import type { RefusalCode, RiskConfig } from '../../risk/index.ts';

type Limit = Exclude<keyof RiskConfig, 'markets' | 'currencies' | 'lossAction'>;

/** The settings that set the limit of a check, of those where a setting does. */
const LIMITS: { readonly [code in RefusalCode]?: readonly Limit[] } = {
  aboveMaximum: ['orderValueMax', 'orderAmountMax'],
  collar: ['collarFraction', 'bandFraction'],
  losingStreak: ['lossesInRowMax'],
  duplicate: ['duplicateWindowMs'],
  openOrders: ['openOrdersPerSideMax', 'openOrdersPerMarketMax', 'openOrdersMax'],
  openValue: ['openValueMax'],
  dailyValue: ['tradedValuePerDayMax'],
  position: ['positionValueMax', 'longMax', 'shortMax'],
  unknownOrders: ['unknownOrdersMax'],
  dailyOrders: ['ordersPerDayMax'],
  orderRate: ['strategyOrdersPerWindowMax', 'ordersPerWindowMax'],
};

/** Of what a backtest itself has. */
const OWN: { readonly [code in RefusalCode]?: string } = {
  belowMinimum: 'backtest.markets',
  balance: 'backtest.balances',
};

const NUMBER = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

/**
 * Where the limit of a refusal is set, as a path of the settings, or several of which one is meant;
 * undefined where none is.
 *
 * A limit is told as text: of the settings of a check those are meant whose value it has.
 */
export function settingOf(
  { code, limit }: Refusal,
  { market, risk }: { readonly market: string; readonly risk: RiskConfig },
): string | undefined {
  const told = new Set((limit.match(NUMBER) ?? []).map(Number));
  const meant = (LIMITS[code as RefusalCode] ?? []).flatMap((key) => {
    const { path, value } = statedIn(key, { market, risk });
    return typeof value === 'number' && told.has(value) ? [path] : [];
  });
  return meant.length > 0 ? meant.join(' or ') : OWN[code as RefusalCode];
}

/** A limit as it holds in a market, and where that is said. */
function statedIn(
  key: Limit,
  { market, risk }: { readonly market: string; readonly risk: RiskConfig },
): { path: string; value: unknown } {
  const { quote } = currenciesOf(market);
  const places: readonly (readonly [path: string, limits: object | undefined])[] = [
    [`risk.markets.${market}`, risk.markets[market]],
    [`risk.currencies.${quote}`, risk.currencies[quote]],
  ];
  for (const [path, limits] of places) {
    const value = (limits as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (value !== undefined) return { path: `${path}.${key}`, value };
  }
  return { path: `risk.${key}`, value: risk[key] };
}
