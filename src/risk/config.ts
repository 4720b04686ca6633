import { z } from 'zod';
import { COMPANION_DEFAULTS, type Companion, refuseWithoutLimit } from './companions.ts';
import { accountLimits } from './limits/account.ts';
import { currencyLimits, groupLimits } from './limits/currencies.ts';
import { priceLimits } from './limits/prices.ts';
import { setbackLimits } from './limits/setbacks.ts';
import { sizeLimits } from './limits/sizes.ts';

/** Limits that a market may override. Values are in the market's own quote currency. */
const marketLimits = { ...sizeLimits, ...priceLimits, ...setbackLimits };

/** The same limits, each optional and without a default, for use in an override. */
function overridesOf<T extends Record<string, z.ZodType>>(limits: T) {
  const bare = Object.entries(limits).map(([key, limit]) => [key, withoutDefault(limit)]);
  return z.strictObject(
    Object.fromEntries(bare) as { [K in keyof T]: z.ZodOptional<z.ZodType<z.infer<T[K]>>> },
  );
}

function withoutDefault(limit: z.ZodType): z.ZodType {
  const isBare = !(limit instanceof z.ZodDefault || limit instanceof z.ZodOptional);
  const inner = isBare ? limit : (limit.unwrap() as z.ZodType);
  return z.optional(inner).describe(limit.description ?? '');
}

const limits = z.strictObject({
  ...marketLimits,
  ...currencyLimits,
  ...accountLimits,
  currencies: z
    .record(z.string(), overridesOf(currencyLimits))
    .default({})
    .describe('Limits of single quote currencies.'),
  markets: z
    .record(z.string(), overridesOf(marketLimits))
    .default({})
    .describe('Limits of single markets.'),
  groups: z
    .record(z.string(), groupLimits)
    .default({})
    .describe('Limits that several markets share, by a name of your own for each group.'),
});

/** Settings of the risk gate. `{}` is a small and safe set for a quote currency such as usdt. */
export const riskConfigSchema = limits
  .superRefine(refuseWithoutLimit)
  .superRefine(refuseCrossedBounds);

function refuseCrossedBounds(config: RiskConfig, issues: z.RefinementCtx): void {
  const places = Object.keys(config.markets).map((market) => ['markets', market]);
  for (const place of [[], ...places]) {
    const { priceMin = 0, priceMax = Number.POSITIVE_INFINITY } =
      place[1] === undefined ? config : marketLimitsOf(config, place[1]);
    if (priceMin <= priceMax) continue;
    const isOfMin = place[1] !== undefined && config.markets[place[1]]?.priceMax === undefined;
    const [key, message] = isOfMin
      ? ['priceMin', `it is ${priceMin}, at most priceMax, ${priceMax}, is wanted`]
      : ['priceMax', `it is ${priceMax}, at least priceMin, ${priceMin}, is wanted`];
    issues.addIssue({ code: 'custom', path: [...place, key], message });
  }
}

export type RiskConfig = z.infer<typeof limits>;

type Resolved<K extends keyof RiskConfig> = Pick<RiskConfig, Exclude<K, Companion>> &
  Readonly<Record<K & Companion, number>>;
export type MarketLimits = Resolved<keyof typeof marketLimits>;
export type CurrencyLimits = Resolved<keyof typeof currencyLimits>;

/** The limits of a market: its own where it states any. */
export function marketLimitsOf(config: RiskConfig, market: string): MarketLimits {
  return {
    ...COMPANION_DEFAULTS,
    ...stated(config),
    ...stated(config.markets[market]),
  } as MarketLimits;
}

/** The limits of a quote currency: its own where it states any. */
export function currencyLimitsOf(config: RiskConfig, currency: string): CurrencyLimits {
  return { ...config, ...stated(config.currencies[currency]) };
}

/** Where a limit of a quote currency is set, as a path of the settings. */
export function currencyLimitPath(
  { currencies }: RiskConfig,
  { key, currency }: { readonly key: keyof CurrencyLimits; readonly currency: string },
): string {
  const place = currencies[currency]?.[key] === undefined ? '' : `currencies.${currency}.`;
  return `risk.${place}${key}`;
}

/** Where a limit of a market is set, as a path of the settings. */
export function marketLimitPath(
  { markets }: RiskConfig,
  { key, market }: { readonly key: keyof MarketLimits; readonly market: string },
): string {
  const place = markets[market]?.[key] === undefined ? '' : `markets.${market}.`;
  return `risk.${place}${key}`;
}

/** Only the keys that hold a value. */
function stated<T extends object>(
  overrides: T | undefined,
): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(overrides ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Whether a limit that has no default is set, for all or for any market or currency. */
export function isSetAnywhere(
  { markets, currencies, ...all }: RiskConfig,
  key: keyof MarketLimits | keyof CurrencyLimits,
): boolean {
  const places: readonly object[] = [all, ...Object.values(markets), ...Object.values(currencies)];
  return places.some((limits) => (limits as Partial<RiskConfig>)[key] !== undefined);
}
