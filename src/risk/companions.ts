import type { z } from 'zod';

/** Settings that mean something beside a limit alone: that limit, and what they are if nobody sets them. */
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

/** The schema of such a setting. It has no default there: one that is set without its limit is refused. */
export function companion<T extends z.ZodType>(key: Companion, type: T) {
  return type.optional().meta({ default: COMPANIONS[key].value });
}

/** What each of them is where nobody sets it. */
export const COMPANION_DEFAULTS = Object.fromEntries(
  Object.entries(COMPANIONS).map(([key, { value }]) => [key, value]),
) as Readonly<Record<Companion, number>>;

/** One of them as it is set for all markets, or what it is where nobody sets it. */
export function companionOf(
  limits: { readonly [key in Companion]?: number | undefined },
  key: Companion,
): number {
  return limits[key] ?? COMPANIONS[key].value;
}

/**
 * Refuses those that are set where their limit is not: whoever sets them thinks himself guarded. One
 * set to what it would be anyway passes: the settings in journals and folders of runs name them all.
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
