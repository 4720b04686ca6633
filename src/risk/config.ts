import { z } from 'zod';
import { blackoutSchema } from './blackouts.ts';
import { COMPANION_DEFAULTS, type Companion, companion, refuseWithoutLimit } from './companions.ts';

const milliseconds = z.number().int().positive();
const fraction = z.number().positive();
const money = z.number().positive();
const count = z.number().int().positive();

/** Limits that a market may override. Values are in the market's own quote currency. */
const marketLimits = {
  orderValueMax: money
    .default(100)
    .describe("Most that one order may be worth, in the market's quote currency."),
  orderAmountMax: money
    .optional()
    .describe('Most that one order may trade, in the base currency. Without it: no such limit.'),
  volumeShareMax: fraction
    .max(1, 'a number of at most 1 is wanted: 0.05 is 5 %')
    .optional()
    .describe(
      'Most that an order may trade if it opens a position or makes it grow, as a fraction ' +
        'of what its market has traded in a window, as far as the run has seen it. Without ' +
        'it: no such limit.',
    ),
  volumeWindowMs: companion('volumeWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  openValueMax: money
    .default(1_000)
    .describe(
      "Most that the deployment's own resting orders of a market may be worth, in its quote currency.",
    ),
  positionValueMax: money
    .default(1_000)
    .describe(
      'Most that the position may be worth on either side if every order of that side ' +
        'fills, in the quote currency.',
    ),
  longMax: z
    .number()
    .min(0)
    .optional()
    .describe('Largest long position, in the base currency. Without it: no such limit.'),
  shortMax: z
    .number()
    .min(0)
    .optional()
    .describe('Largest short position, in the base currency. Without it: no such limit.'),
  selfCrossAction: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe(
      'What happens to an order that would meet an own order on the other side, of ' +
        'whichever strategy. refuse: it does not leave; allow: it leaves, and if the ' +
        'exchange lets them, both trade with each other and pay their fees. Most exchanges ' +
        'forbid that.',
    ),
  ownSpreadMin: fraction
    .max(1, 'a number of at most 1 is wanted: 0.001 is 0.1 %')
    .optional()
    .describe(
      'Least distance between own orders of both sides that may rest, of whichever ' +
        'strategies, as a fraction of the middle between them; what shrinks the position may ' +
        'be nearer. Without it: no such limit.',
    ),
  openOrdersPerSideMax: count
    .default(10)
    .describe('Most live orders of one market and side, those that are not ours included.'),
  openOrdersPerMarketMax: count
    .default(20)
    .describe('Most live orders of one market, those that are not ours included.'),
  collarFraction: fraction
    .max(1, 'a number of at most 1 is wanted: 0.02 is 2 %')
    .default(0.02)
    .describe('How far a buy may be above, or a sell below, the reference price, as a fraction.'),
  bandFraction: fraction
    .default(0.5)
    .describe('How far a buy may be below, or a sell above, the reference price, as a fraction.'),
  fillLossMax: money
    .optional()
    .describe(
      'Most that an order may lose at once if it opens a position or makes it grow, in the quote ' +
        'currency: its amount at what its price is worse than the reference price, without fees. ' +
        'Without it: no such limit.',
    ),
  priceMin: money
    .optional()
    .describe('Lowest price at which a position is opened or grows. Without it: none.'),
  priceMax: money
    .optional()
    .describe('Highest price at which a position is opened or grows. Without it: none.'),
  blackouts: z
    .array(blackoutSchema)
    .default([])
    .describe('Windows of the day in which only what shrinks a position leaves, or rests on.'),
  referenceAgeMaxMs: milliseconds
    .default(10_000)
    .describe('Oldest depth that gives a reference price, in milliseconds.'),
  staleRestMaxMs: z
    .number()
    .int()
    .min(0)
    .default(30_000)
    .describe(
      "How long orders may rest while a market's data are stale, before they are cancelled, in " +
        'milliseconds. 0: for ever.',
    ),
  duplicateWindowMs: milliseconds
    .default(1_000)
    .describe('Time in which a live order with the same terms makes a new one a duplicate.'),
  rejectsInRowMax: count
    .default(20)
    .describe(
      'Most orders of a market in a row that the exchange may reject or leave without an ' +
        'answer, not counting rejected post-only orders; after one more, new orders of the ' +
        'market pause.',
    ),
  rejectsPerWindowMax: count
    .default(60)
    .describe('Most such orders in a window, not counting rejected post-only orders.'),
  rejectWindowMs: milliseconds.default(60_000).describe('Length of that window, in milliseconds.'),
  postOnlyRejectsInRowMax: count
    .default(100)
    .describe(
      'Most post-only orders of a market in a row that the exchange may reject: fast markets send ' +
        'back many that would trade.',
    ),
  rejectPauseMs: milliseconds
    .default(5_000)
    .describe(
      'Length of the first pause of a market, milliseconds; each further pause is twice as ' +
        'long, up to an hour.',
    ),
  rejectPausesMax: count
    .default(6)
    .describe(
      'Most pauses of a market in a row; one more leads to HALTED. An order that is ' +
        'accepted a window or more after the last pause ends the row.',
    ),
  orderToTradeMax: z
    .number()
    .min(1, 'a number of at least 1 is wanted: 100 is a hundred orders for each that trades')
    .optional()
    .describe(
      'Most orders of a market that may leave in a window for each that trades in it, of all ' +
        'strategies together; beyond it only what shrinks a position leaves. Without it: no such ' +
        'limit.',
    ),
  orderToTradeWindowMs: companion('orderToTradeWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  orderToTradeFreeOrders: companion('orderToTradeFreeOrders', z.number().int().min(0)).describe(
    'Orders of a market that may leave in that window in any case, however few trade.',
  ),
  lossesInRowMax: count
    .optional()
    .describe(
      'Most orders of a market in a row that may close at a loss, fees included; after one more, ' +
        'only what shrinks its position leaves for a while. Without it: no such limit.',
    ),
  lossPauseMs: companion('lossPauseMs', milliseconds).describe(
    'How long that lasts, counted from the last such order, in milliseconds.',
  ),
  markoutLossMax: fraction
    .max(1, 'a number of at most 1 is wanted: 0.001 is 0.1 %')
    .optional()
    .describe(
      'Most that the newest fills of a market may have lost some time after they traded, on ' +
        'average, as a fraction of their value: a buy loses what it paid above the middle of the ' +
        'book of then, a sell what it got below it. Beyond it only what shrinks the position ' +
        'leaves for a while. Without it: no such limit.',
    ),
  markoutMs: companion('markoutMs', milliseconds).describe(
    'How long after a fill that is measured, in milliseconds.',
  ),
  markoutFills: companion('markoutFills', count).describe(
    'How many of the newest fills count; fewer are not judged.',
  ),
  markoutPauseMs: companion('markoutPauseMs', milliseconds).describe(
    'How long only what shrinks the position leaves then, in milliseconds.',
  ),
};

const currencyLimits = {
  dailyLossMax: money
    .default(50)
    .describe(
      'Most that may be lost since midnight UTC, in each quote currency. On a venue, fills of ' +
        'earlier runs of the day count; what was held at midnight counts from the first price ' +
        'after a restart.',
    ),
  drawdownMax: money
    .default(100)
    .describe(
      'Most that may be lost from the highest profit of this run, or from the profit at ' +
        'the start of its first day, in each quote currency.',
    ),
  exposureMax: money
    .optional()
    .describe(
      'Most that the positions of all markets may be worth together, long and short alike, if ' +
        'every order of the worse side of each fills, in each quote currency. Without it: no such limit.',
    ),
  tradedValuePerDayMax: money
    .optional()
    .describe(
      'Most that a run may trade from midnight UTC to midnight, bought and sold, in each quote ' +
        'currency; beyond it only what shrinks a position leaves. Without it: no such limit.',
    ),
};

/** What the markets of a group share. */
const groupLimits = z.strictObject({
  markets: z
    .array(z.string())
    .min(1)
    .describe('The markets of the group, all of one quote currency; one may be in several groups.'),
  exposureMax: money.describe(
    'Most that the positions of the group may be worth together, long and short alike, if every ' +
      'order of the worse side of each market fills, in its quote currency.',
  ),
});

/** The same limits, each optional and without a default: what an override states. */
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
  openOrdersMax: count
    .default(100)
    .describe('Most live orders of the account, those that are not ours included.'),
  unknownOrdersMax: z
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('Most orders whose fate is unknown while new ones still leave.'),
  orderRateWindowMs: milliseconds
    .default(10_000)
    .describe('Length of the window in which new orders are counted, in milliseconds.'),
  ordersPerWindowMax: count.default(300).describe('Most new orders of the account in a window.'),
  strategyOrdersPerWindowMax: count
    .default(200)
    .describe('Most new orders of one strategy in a window.'),
  apiErrorsPerWindowMax: count
    .optional()
    .describe(
      'Most requests of the account in a window that may end without a clear answer of the exchange, ' +
        'those for what became of orders included; beyond it only what shrinks a position leaves, ' +
        'until fewer are in the window. Without it: no such limit.',
    ),
  apiErrorWindowMs: companion('apiErrorWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  ordersPerDayMax: count
    .optional()
    .describe(
      'Most new orders of a run from midnight UTC to midnight; beyond it only what shrinks a ' +
        'position leaves. Without it: no such limit.',
    ),
  executionsPerWindowMax: count
    .optional()
    .describe(
      'Most orders of one strategy that may trade within a window; one more leads to ' +
        'HALTED, until a person has looked into it. Without it: no such limit.',
    ),
  executionWindowMs: companion('executionWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  lossAction: z
    .enum(['REDUCING', 'HALTED'])
    .default('REDUCING')
    .describe('Trading state after a loss limit was reached, until a person resets it.'),
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

/** The limits that hold for a market: its own where it states any. */
export function marketLimitsOf(config: RiskConfig, market: string): MarketLimits {
  return {
    ...COMPANION_DEFAULTS,
    ...stated(config),
    ...stated(config.markets[market]),
  } as MarketLimits;
}

/** The limits that hold for a quote currency. */
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
