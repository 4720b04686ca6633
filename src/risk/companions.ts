import type { z } from 'zod';

/**
 * Settings that only have a meaning together with a limit: that limit, and the setting's default.
 */
const COMPANIONS = {
  volumeWindowMs: { limit: 'volumeShareMax', value: 300_000 },
  orderToTradeWindowMs: { limit: 'orderToTradeMax', value: 3_600_000 },
  orderToTradeFreeOrders: { limit: 'orderToTradeMax', value: 100 },
  lossPauseMs: { limit: 'lossesInRowMax', value: 900_000 },
  markoutMs: { limit: 'markoutLossMax', value: 30_000 },
  markoutFills: { limit: 'markoutLossMax', value: 50 },
  markoutPauseMs: { limit: 'markoutLossMax', value: 900_000 },
  executionWindowMs: { limit: 'executionsPerWindowMax', value: 3_600_000 },
  apiErrorWindowMs: { limit: 'apiErrorsPerWindowMax', value: 60_000 },
} as const;

export type Companion = keyof typeof COMPANIONS;
type Limits = Readonly<Record<string, unknown>>;

/**
 * The schema of such a setting. It states no default, so that one set without its limit can be
 * refused.
 */
export function companion<T extends z.ZodType>(key: Companion, type: T) {
  return type.optional().meta({ default: COMPANIONS[key].value });
}

/** The defaults of all of them. */
export const COMPANION_DEFAULTS = Object.fromEntries(
  Object.entries(COMPANIONS).map(([key, { value }]) => [key, value]),
) as Readonly<Record<Companion, number>>;

/** The setting for all markets, or its default. */
export function companionOf(
  limits: { readonly [key in Companion]?: number | undefined },
  key: Companion,
): number {
  return limits[key] ?? COMPANIONS[key].value;
}

/**
 * Refuses settings that are set without their limit: whoever sets one believes to be guarded by it.
 * One set to its default passes: the settings in journals and in folders of runs name them all.
 */
export function refuseWithoutLimit(
  { markets, ...all }: Limits & { readonly markets: Readonly<Record<string, Limits>> },
  issues: z.RefinementCtx,
): void {
  const refuse = (path: readonly string[], limit: string): void =>
    issues.addIssue({
      code: 'custom',
      path: [...path],
      message: `nothing goes by it, ${limit} is wanted with it`,
    });
  const isSet = (key: string, places: readonly Limits[]): boolean =>
    places.some((limits) => limits[key] !== undefined);
  for (const [key, { limit, value }] of Object.entries(COMPANIONS)) {
    const isStated = (limits: Limits): boolean =>
      limits[key] !== undefined && limits[key] !== value;
    if (isStated(all) && !isSet(limit, [all, ...Object.values(markets)])) refuse([key], limit);
    for (const [id, own] of Object.entries(markets))
      if (isStated(own) && !isSet(limit, [all, own])) refuse(['markets', id, key], limit);
  }
}
