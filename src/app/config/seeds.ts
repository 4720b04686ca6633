import type { DeploymentConfig } from './deployment.ts';

/** Where draws begin that nobody gave a seed and that are to come out the same each time. */
export const DEFAULT_SEED = 'tradewind';

type Seed = string | number;

/**
 * The part with that seed, where it names none of its own. It stands last either way: the hash of
 * the settings counts the order of keys.
 */
export function seeded<T extends { readonly seed?: Seed | undefined }>(part: T, seed: string) {
  const { seed: own, ...others } = part;
  return { ...others, seed: (own ?? seed) as NonNullable<T['seed']> };
}

/** The section with other settings of the markets whose prices are made up. */
export function madeUpWith<T, A, B>(
  section: T & { readonly generate: Readonly<Record<string, A>> },
  change: (settings: A) => B,
) {
  const markets = Object.entries(section.generate);
  const generate = markets.map(([id, settings]) => [id, change(settings)] as const);
  return { ...section, generate: Object.fromEntries(generate) };
}

/** The deployment with that seed in place of every one that its file names. */
export function reseeded(config: DeploymentConfig, seed: string): DeploymentConfig {
  const { venue, backtest } = config;
  return {
    ...config,
    seed,
    venue: venue.kind === 'simulated' ? { ...venue, seed } : venue,
    backtest: backtest && madeUpWith(backtest, (one) => ({ ...one, seed })),
  };
}
