import type { DeploymentConfig } from './deployment.ts';

/** The seed of repeatable draws for which none is set. */
export const DEFAULT_SEED = 'tradewind';

type Seed = string | number;

/**
 * The part with its own seed, else the given one. The key comes last in either case, because the
 * hash of the settings depends on the order of keys.
 */
export function seeded<T extends { readonly seed?: Seed | undefined }>(part: T, seed: string) {
  const { seed: own, ...others } = part;
  return { ...others, seed: (own ?? seed) as NonNullable<T['seed']> };
}

/** The section, with the settings of each market whose prices are made up changed. */
export function madeUpWith<T, A, B>(
  section: T & { readonly generate: Readonly<Record<string, A>> },
  change: (settings: A) => B,
) {
  const markets = Object.entries(section.generate);
  const generate = markets.map(([id, settings]) => [id, change(settings)] as const);
  return { ...section, generate: Object.fromEntries(generate) };
}

/** The deployment with a seed in place of all seeds that its file names. */
export function reseeded(config: DeploymentConfig, seed: string): DeploymentConfig {
  const { venue, backtest } = config;
  return {
    ...config,
    seed,
    venue: venue.kind === 'simulated' ? { ...venue, seed } : venue,
    backtest: backtest && madeUpWith(backtest, (one) => ({ ...one, seed })),
  };
}
