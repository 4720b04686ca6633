import type { StrategyDefinition } from '../../strategy/index.ts';
import type { LocatedYaml } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import {
  definitionAtOnce,
  type Place,
  problemsOf,
  readParams,
  strangeMarket,
} from './load-strategies.ts';

/**
 * Problems with strategies that do not exist, and with markets that the deployment lacks: a line
 * each, whatever else is wrong with the file.
 */
export function strangersIn(yaml: LocatedYaml): string[] {
  return entriesIn(yaml).flatMap(({ use, own, known, ...place }) => [
    ...(use === undefined ? [] : problemsOf(use, place)),
    ...strangeMarkets(own, { ...place, known }),
  ]);
}

/**
 * Problems that strategies' own schemas find in their parameters, a line each. Parameters that are
 * no group, and modules that load asynchronously, are left to others.
 */
export function paramsProblems(yaml: LocatedYaml): string[] {
  return entriesIn(yaml).flatMap(({ use, params, index }) => {
    if (typeof params !== 'object' || params === null || Array.isArray(params)) return [];
    const definition = use === undefined ? undefined : definitionAtOnce(use, yaml);
    return definition === undefined ? [] : problemsWith(definition, { yaml, index, params });
  });
}

/** The strategies in a file that may be wrong in any way. */
function entriesIn(yaml: LocatedYaml) {
  const { strategies, markets: known } = yaml.value as Partial<Record<string, unknown>>;
  if (!Array.isArray(strategies)) return [];
  return strategies.map((entry: Partial<Record<string, unknown>> | null, index) => {
    const { use: named, params = {}, markets: own } = entry ?? {};
    const use = typeof named === 'string' && named !== '' ? named : undefined;
    return { yaml, index, use, params, own, known };
  });
}

function problemsWith(
  definition: StrategyDefinition,
  params: Place & { readonly params: object },
): string[] {
  try {
    readParams(definition, params);
    return [];
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message.split('\n');
    throw thrown;
  }
}

/** Markets of a strategy that its deployment does not have; nothing where either is no list. */
function strangeMarkets(own: unknown, { known, ...place }: Place & { known: unknown }): string[] {
  if (!Array.isArray(own) || !Array.isArray(known)) return [];
  const names = known.filter((id) => typeof id === 'string');
  return own.flatMap((id, at) =>
    typeof id !== 'string' || names.includes(id)
      ? []
      : [strangeMarket(id, { ...place, at, known: names })],
  );
}
