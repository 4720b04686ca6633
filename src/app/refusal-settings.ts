import { currenciesOf, type Refusal } from '../domain/index.ts';
import type { RefusalCode, RiskConfig } from '../risk/index.ts';

type Limit = Exclude<keyof RiskConfig, 'markets' | 'currencies' | 'groups' | 'lossAction'>;

/**
 * The settings that set the limit of each check. Empty if none does, if it is set elsewhere, or if
 * the maps and functions below tell it.
 */
const LIMITS: { readonly [code in RefusalCode]: readonly Limit[] } = {
  ...{ unknownMarket: [], strategyMarket: [], tradingState: [], shape: [], clientOrderId: [] },
  ...{ belowMinimum: [], staleData: [], crossedBook: [], collar: [], postOnlyCross: [] },
  ...{ reducing: [], unpriced: [], blackout: [], duplicate: [], balance: [], heartbeat: [] },
  ...{ orderRate: [], selfCross: [] },
  aboveMaximum: ['orderValueMax', 'orderAmountMax'],
  fillLoss: ['fillLossMax'],
  priceBounds: ['priceMin', 'priceMax'],
  ownSpread: ['ownSpreadMin'],
  losingStreak: ['lossesInRowMax'],
  markout: ['markoutLossMax'],
  volumeShare: ['volumeShareMax'],
  openOrders: ['openOrdersPerSideMax', 'openOrdersPerMarketMax', 'openOrdersMax'],
  openValue: ['openValueMax'],
  dailyValue: ['tradedValuePerDayMax'],
  exposure: ['exposureMax'],
  position: ['positionValueMax', 'longMax', 'shortMax'],
  unknownOrders: ['unknownOrdersMax'],
  rejects: ['rejectsInRowMax', 'postOnlyRejectsInRowMax'],
  apiErrors: ['apiErrorsPerWindowMax'],
  dailyOrders: ['ordersPerDayMax'],
  orderToTrade: ['orderToTradeMax'],
};

/** The setting of a check whose limit does not tell it as a number. */
const CHOICES: { readonly [code in RefusalCode]?: Limit } = {
  selfCross: 'selfCrossAction',
  blackout: 'blackouts',
  duplicate: 'duplicateWindowMs',
};

/** The settings outside of risk behind a refusal: of a check, or of the executor. */
const ELSEWHERE: { readonly [code: string]: string | undefined } = {
  staleData: 'data.staleAfterMs',
  heartbeatBudget: 'executor.heartbeat.budgetShare',
};

const NUMBER = /\d+(?:\.\d+)?(?:e[+-]?\d+)?/g;

/**
 * The path of the setting that sets a refusal's limit, or several of which one does; undefined if
 * none does.
 */
export type SettingOf = (refusal: Refusal, market: string) => string | undefined;

/**
 * Names the settings behind refusals: those of risk, and of an exchange that the settings describe.
 *
 * A limit is text, so those of a check's settings are named whose value stands in it.
 *
 * @param exchange the settings of what the exchange itself asks for and of what the account has.
 */
export function settingsOf(risk: RiskConfig, exchange: SettingOf): SettingOf {
  return (refusal, market) => {
    const code = refusal.code as RefusalCode;
    // No setting makes up for candles that a backtest lacks.
    if (refusal.limit === 'the next candle') return undefined;
    const elsewhere = ELSEWHERE[refusal.code];
    if (elsewhere !== undefined) return elsewhere;
    const choice = chosenFor(refusal) ?? CHOICES[code];
    if (choice !== undefined) return statedIn(choice, { market, risk }).path;
    const group = groupOf(refusal, risk);
    if (group !== undefined) return `risk.groups.${group}.exposureMax`;
    const told = new Set((refusal.limit.match(NUMBER) ?? []).map(Number));
    const meant = (LIMITS[code] ?? []).flatMap((key) => {
      const { path, value } = statedIn(key, { market, risk });
      return typeof value === 'number' && told.has(value) ? [path] : [];
    });
    return meant.length > 0 ? meant.join(' or ') : exchange(refusal, market);
  };
}

/** The one of several settings that a refusal's words or its scope tell. */
function chosenFor(refusal: Refusal): Limit | undefined {
  const code = refusal.code as RefusalCode;
  if (code === 'collar') return fractionOf(refusal);
  if (code === 'rejects' && / in \d/.test(refusal.limit)) return 'rejectsPerWindowMax';
  if (code !== 'orderRate') return undefined;
  return refusal.scope === 'strategy' ? 'strategyOrdersPerWindowMax' : 'ordersPerWindowMax';
}

/** The group whose limit it is; undefined: that of none. */
function groupOf({ code, limit }: Refusal, { groups }: RiskConfig): string | undefined {
  if ((code as RefusalCode) !== 'exposure') return undefined;
  return Object.keys(groups).find((name) => limit.endsWith(` in the group ${name}`));
}

/** The fraction that a price is beyond, by the side on which it is; undefined: none. */
function fractionOf({ limit, observed }: Refusal): 'collarFraction' | 'bandFraction' | undefined {
  const isAbove = observed.includes(' above ');
  if (limit.startsWith('buy')) return isAbove ? 'collarFraction' : 'bandFraction';
  if (limit.startsWith('sell')) return isAbove ? 'bandFraction' : 'collarFraction';
  return undefined;
}

/** What was refused and what is wanted, with the setting that says so, where one does. */
export function refusalText({ observed, limit }: Refusal, setting: string | undefined): string {
  return `${observed}, wanted: ${limit}${setting === undefined ? '' : ` (${setting})`}`;
}

/** The rule of a market that a refusal is for, by its name in settings; undefined: none. */
export function marketRuleOf(
  { code, limit, observed }: Refusal,
  market: string,
): 'priceScale' | 'amountScale' | 'minAmount' | 'minSize' | undefined {
  if ((code as RefusalCode) === 'belowMinimum') {
    // A value that cannot pay its fee breaks no rule of the market.
    if (limit.startsWith('its fee')) return undefined;
    return limit.endsWith(` ${currenciesOf(market).quote}`) ? 'minSize' : 'minAmount';
  }
  if ((code as RefusalCode) !== 'shape' || !limit.includes('multiple of')) return undefined;
  return observed.startsWith('price') ? 'priceScale' : 'amountScale';
}

/** The currency of which a refusal finds too little free; undefined for other refusals. */
export function lackingIn({ code, limit }: Refusal): string | undefined {
  return (code as RefusalCode) === 'balance' ? limit.split(' ').at(-1) : undefined;
}

/** The value of a limit in a market, and the path where it is set. */
export function statedIn(
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
