import { existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { basename, dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { delay, firstValueFrom, from, map, merge, NEVER, type Observable, timeout } from 'rxjs';
import type { Market } from '../../domain/index.ts';
import { failureOf, type StrategyInstance } from '../../engine/index.ts';
import { type Clock, SECOND_MS } from '../../kernel/index.ts';
import * as door from '../../strategy/index.ts';
import {
  instanceName,
  resolveExport,
  type StrategyConfig,
  type StrategyDefinition,
} from '../../strategy/index.ts';
import { readPart } from '../config/problems.ts';
import { didYouMean } from '../config/suggest.ts';
import type { LocatedYaml } from '../config/yaml.ts';
import { AppError } from '../errors.ts';
import { blotOf } from '../secrets.ts';
import type { StopRequest } from '../session.ts';
import { systemClock } from '../time/system-clock.ts';
import { BUNDLED_FOLDER, bundledStrategies } from './bundled-strategies.ts';

const DOOR = new URL('../../strategy/index.ts', import.meta.url).href;

// A strategy may live anywhere on disk; `#strategy` means this Tradewind's door wherever it is.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '#strategy' ? { url: DOOR, shortCircuit: true } : next(specifier, context),
});

export async function importBundled(name: string): Promise<StrategyDefinition> {
  return resolveExport(await import(pathToFileURL(resolve(BUNDLED_FOLDER, `${name}.ts`)).href));
}

const load = createRequire(import.meta.url);

/** The name of a strategy's definition; undefined if it cannot be loaded synchronously. */
export function definitionName(use: string, yaml: LocatedYaml): string | undefined {
  return definitionAtOnce(use, yaml)?.name;
}

/** What a module defines; undefined if it is wrong, or loads asynchronously: reported later. */
export function definitionAtOnce(use: string, yaml: LocatedYaml): StrategyDefinition | undefined {
  try {
    return resolveExport(load(fileOf(use, yaml)));
  } catch {
    return undefined;
  }
}

/** A deployment's strategies section and where it stands. */
export interface StrategyEntries {
  readonly entries: readonly StrategyConfig[];
  readonly yaml: LocatedYaml;
  /** Times out a module that never loads. Default: the machine's. */
  readonly clock?: Clock;
  /** Asks to stop: then no module is waited for any more. Default: nobody asks. */
  readonly stop?: Observable<StopRequest> | undefined;
}

/** Where an entry stands. */
export interface Place {
  readonly yaml: LocatedYaml;
  readonly index: number;
}

/** Parameters by the strategy's own schema. @throws {AppError} `configuration`, a line a problem. */
export function readParams(
  { params: schema }: StrategyDefinition,
  { yaml, index, params }: Place & { params: unknown },
): unknown {
  const at = ['strategies', index, 'params'];
  try {
    return readPart(schema, { yaml, at, value: params });
  } catch (thrown) {
    const text =
      thrown instanceof AppError
        ? thrown.message
        : `${yaml.locate(at)}: Cannot check "strategies[${index}].params": ${failureOf(thrown)}`;
    throw new AppError('configuration', withoutKeys(text, yaml), { cause: thrown });
  }
}

/** Removes the deployment's keys from a module's text: its author may have put one there. */
function withoutKeys(text: string, yaml: LocatedYaml): string {
  return blotOf(yaml.value as { readonly venue?: unknown })?.(text) ?? text;
}

/** Why a strategy cannot trade a market that its deployment does not have. */
export function strangeMarket(
  id: string,
  { yaml, index, at, known }: Place & { at: number; known: readonly string[] },
): string {
  const place = yaml.locate(['strategies', index, 'markets', at]);
  const hint = didYouMean(id, known);
  return `${place}: Cannot use market "${id}": the deployment has ${known.join(', ')}${hint}`;
}

/** Why there is no such strategy; empty where there is one. */
export function problemsOf(use: string, { yaml, index }: Place): string[] {
  const file = fileOf(use, yaml);
  if (existsSync(file)) {
    if (!statSync(file).isDirectory()) return [];
    const what = 'it is a folder, the file of a module is wanted';
    return [`${placeOf({ yaml, index })}: Cannot load strategy "${use}": ${what}`];
  }
  const known = bundledStrategies();
  const what = isPath(use)
    ? `, there is no ${file}, a module there${otherPlace(yaml)} is wanted`
    : didYouMean(use, known) || `, ${known.join(', ')} or the path of a file is wanted`;
  return [`${placeOf({ yaml, index })}: Cannot find strategy "${use}"${what}`];
}

/** What else would do if the module at a path is missing. */
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

/** The address of a strategy's module, as it stands in stacks. */
export function moduleUrl(use: string, yaml: LocatedYaml): string {
  const file = fileOf(use, yaml);
  return pathToFileURL(existsSync(file) ? realpathSync(file) : file).href;
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

/** How long a module may take: it may wait for what never comes. */
const LOAD_TIMEOUT_MS = 30 * SECOND_MS;
/** How long loading may still take at a stop: a start whose modules load at once goes on. */
const STOP_GRACE_MS = SECOND_MS;

/**
 * @throws {AppError} `configuration` when there is no such strategy, or its module does not load, or
 * not in time.
 */
async function importStrategy(
  { use }: StrategyConfig,
  { clock, ...place }: Place & { readonly clock: Clock },
): Promise<StrategyDefinition> {
  const [problem] = problemsOf(use, place);
  if (problem !== undefined) throw new AppError('configuration', problem);
  const file = fileOf(use, place.yaml);
  try {
    return resolveExport(await inTime(import(pathToFileURL(file).href), { file, clock }));
  } catch (thrown) {
    const why = failureOf(thrown)
      .replace(/^Cannot load a strategy: /, '')
      .replace(MISSING_MODULE, (said, path: string) => said + withExtension(path))
      .replace(MISSING_NAME, (said, name: string) => said + didYouMean(name, Object.keys(door)))
      .replace(/^Cannot use import statement outside a module\b.*/, `$&, ${MODULE_WANTED}`);
    const text = `${placeOf(place)}: Cannot load strategy "${use}": ${withoutKeys(why, place.yaml)}`;
    throw new AppError('configuration', text, { cause: thrown });
  }
}

/** How Node tells that it has not found what a module imports. */
const MISSING_MODULE = /^(?:Cannot find module|Directory import) '([^']+)'.*/;

/** How Node tells that `#strategy` has no such name, with all that follows. */
const MISSING_NAME =
  /^The requested module '#strategy' does not provide an export named '([^']+)'.*/;

/** Suggests an extension: imports need it, and people are used to leaving it out. */
function withExtension(path: string): string {
  const found = ['.ts', '.js', '.mts', '.mjs', '/index.ts', '/index.js'].find((end) =>
    existsSync(path + end),
  );
  return found === undefined ? '' : `, did you mean "${basename(path)}${found}"?`;
}

const MODULE_WANTED = '"type": "module" in the package.json beside or above it is wanted';

function inTime(
  module: Promise<object>,
  { file, clock }: { readonly file: string; readonly clock: Clock },
): Promise<object> {
  const seconds = LOAD_TIMEOUT_MS / SECOND_MS;
  const late = () => {
    const what = `${file} still awaits something at its top level after ${seconds} s`;
    throw new AppError('configuration', `${what}, a module that loads at once is wanted`);
  };
  return firstValueFrom(
    from(module).pipe(timeout({ first: LOAD_TIMEOUT_MS, scheduler: clock, with: late })),
  );
}

/** A strategy with its parameters read, before the rules of its markets are known. */
interface ReadStrategy extends Omit<StrategyInstance, 'markets'> {
  readonly entry: StrategyConfig;
}

/**
 * The strategies of a deployment, with parameters checked by their own schemas.
 *
 * @throws {AppError} `configuration`, a line a problem with file, line and column; the outcome of
 * the stop request when asked to stop.
 */
export async function readStrategies(deployed: StrategyEntries): Promise<ReadStrategy[]> {
  const { clock = systemClock, stop = NEVER } = deployed;
  const stopped = stop.pipe(delay(STOP_GRACE_MS, clock), map(giveUp));
  return firstValueFrom(merge(from(readAll({ ...deployed, clock })), stopped));
}

function giveUp({ reason, outcome }: StopRequest): never {
  throw new AppError(outcome, `Cannot go on loading strategies: ${reason}`);
}

async function readAll({
  entries,
  yaml,
  clock,
}: StrategyEntries & { readonly clock: Clock }): Promise<ReadStrategy[]> {
  const read: ReadStrategy[] = [];
  const problems: string[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      const definition = await importStrategy(entry, { yaml, index, clock });
      const params = readParams(definition, { yaml, index, params: entry.params });
      read.push({ name: instanceName(entry), definition, params, entry });
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      problems.push(thrown.message);
    }
  }
  if (problems.length === 0) return read;
  throw new AppError('configuration', problems.join('\n'));
}

/** Strategies with their markets. @throws {AppError} `configuration` for an unknown one. */
export function onMarkets(
  { strategies, yaml }: { strategies: readonly ReadStrategy[]; yaml: LocatedYaml },
  markets: ReadonlyMap<string, Market>,
): StrategyInstance[] {
  const known = [...markets.keys()];
  return strategies.map(({ entry, ...strategy }, index) => {
    const own = (entry.markets ?? known).map((id, at) => {
      const market = markets.get(id);
      if (market !== undefined) return market;
      throw new AppError('configuration', strangeMarket(id, { yaml, index, at, known }));
    });
    return { ...strategy, markets: own };
  });
}

/** Reads the strategies of a deployment whose markets are known. @throws {AppError} as its parts. */
export async function loadStrategies(
  deployed: StrategyEntries,
  markets: ReadonlyMap<string, Market>,
): Promise<StrategyInstance[]> {
  const { yaml } = deployed;
  return onMarkets({ strategies: await readStrategies(deployed), yaml }, markets);
}
