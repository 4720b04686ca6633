import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Market } from '../domain/index.ts';
import { failureOf, type StrategyInstance } from '../engine/index.ts';
import {
  instanceName,
  resolveExport,
  type StrategyConfig,
  type StrategyDefinition,
} from '../strategy/index.ts';
import { BUNDLED_FOLDER, bundledStrategies } from './bundled-strategies.ts';
import { readPart } from './config/problems.ts';
import { didYouMean } from './config/suggest.ts';
import type { LocatedYaml } from './config/yaml.ts';
import { AppError } from './errors.ts';

const DOOR = new URL('../strategy/index.ts', import.meta.url).href;

// A strategy may live anywhere on disk; `#strategy` means this Tradewind's door wherever it is.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '#strategy' ? { url: DOOR, shortCircuit: true } : next(specifier, context),
});

/** The bundled strategy of that name. */
export async function importBundled(name: string): Promise<StrategyDefinition> {
  return resolveExport(await import(pathToFileURL(resolve(BUNDLED_FOLDER, `${name}.ts`)).href));
}

const load = createRequire(import.meta.url);

/** What the definition of a strategy is called; undefined where it cannot be had at once. */
export function definitionName(use: string, yaml: LocatedYaml): string | undefined {
  try {
    return resolveExport(load(fileOf(use, yaml))).name;
  } catch {
    // What is wrong with its module is told when it is to run.
    return undefined;
  }
}

/** A deployment's strategies section and where it stands. */
export interface StrategyEntries {
  readonly entries: readonly StrategyConfig[];
  readonly yaml: LocatedYaml;
}

/** Where an entry stands. */
interface Place {
  readonly yaml: LocatedYaml;
  readonly index: number;
}

/**
 * The strategies that a file names and that there are not, a line each, whatever else is wrong with
 * the file.
 */
export function missingStrategies(yaml: LocatedYaml): string[] {
  const { strategies } = yaml.value as { readonly strategies?: unknown };
  if (!Array.isArray(strategies)) return [];
  return strategies.flatMap((entry: { readonly use?: unknown } | null, index) => {
    const use = entry?.use;
    return typeof use === 'string' && use !== '' ? problemsOf(use, { yaml, index }) : [];
  });
}

/** Why there is no such strategy; nothing where there is one. */
function problemsOf(use: string, { yaml, index }: Place): string[] {
  const file = fileOf(use, yaml);
  if (existsSync(file)) return [];
  const known = bundledStrategies();
  const what = isPath(use)
    ? `, there is no ${file}, a module there${otherPlace(yaml)} is wanted`
    : didYouMean(use, known) || `, ${known.join(', ')} or the path of a file is wanted`;
  return [`${placeOf({ yaml, index })}: Cannot find strategy "${use}"${what}`];
}

/** What else would do in place of a module that is missing. */
function otherPlace({ value }: LocatedYaml): string {
  const { strategyFolder: named } = value as { readonly strategyFolder?: unknown };
  return named === undefined
    ? ' or another path'
    : `, another path or another strategyFolder than ${String(named)}`;
}

/** The module of a bundled strategy, or that of a path. */
function fileOf(use: string, yaml: LocatedYaml): string {
  return isPath(use) ? resolve(strategyFolder(yaml), use) : resolve(BUNDLED_FOLDER, `${use}.ts`);
}

/** The folder that the paths of strategies begin at: the file's own, or the one that it names. */
export function strategyFolder({ file, value }: LocatedYaml): string {
  const { strategyFolder: named } = value as { readonly strategyFolder?: unknown };
  return resolve(dirname(file), typeof named === 'string' ? named : '');
}

/** Whether a strategy is given by the path of its module. */
export function isPath(use: string): boolean {
  return use.includes('/') || extname(use) !== '';
}

function placeOf({ yaml, index }: Place): string {
  return yaml.locate(['strategies', index], 'use');
}

/** @throws {AppError} `configuration` when there is no such strategy or its module does not load. */
async function importStrategy({ use }: StrategyConfig, place: Place): Promise<StrategyDefinition> {
  const [problem] = problemsOf(use, place);
  if (problem !== undefined) throw new AppError('configuration', problem);
  try {
    return resolveExport(await import(pathToFileURL(fileOf(use, place.yaml)).href));
  } catch (thrown) {
    const text = `${placeOf(place)}: Cannot load strategy "${use}": ${failureOf(thrown)}`;
    throw new AppError('configuration', text, { cause: thrown });
  }
}

/**
 * The strategies of a deployment, their parameters checked by their own schemas.
 *
 * @throws {AppError} `configuration`, naming file, line and column.
 */
export async function loadStrategies(
  { entries, yaml }: StrategyEntries,
  markets: ReadonlyMap<string, Market>,
): Promise<StrategyInstance[]> {
  const instances: StrategyInstance[] = [];
  for (const [index, entry] of entries.entries()) {
    const definition = await importStrategy(entry, { yaml, index });
    const at = ['strategies', index, 'params'];
    const params = readPart(definition.params, { yaml, at, value: entry.params });
    const own = marketsOf(entry, { yaml, index, markets });
    instances.push({ name: instanceName(entry), definition, params, markets: own });
  }
  return instances;
}

function marketsOf(
  entry: StrategyConfig,
  where: { yaml: LocatedYaml; index: number; markets: ReadonlyMap<string, Market> },
): Market[] {
  const { yaml, index, markets } = where;
  if (entry.markets === undefined) return [...markets.values()];
  return entry.markets.map((id, at) => {
    const market = markets.get(id);
    if (market !== undefined) return market;
    const place = yaml.locate(['strategies', index, 'markets', at]);
    const known = [...markets.keys()];
    throw new AppError(
      'configuration',
      `${place}: Cannot use market "${id}": the deployment has ${known.join(', ')}${didYouMean(id, known)}`,
    );
  });
}
