import { createHash } from 'node:crypto';
import { type DeploymentConfig, deploymentSchema } from './config/deployment.ts';
import { overridden } from './config/overrides.ts';
import { readPart } from './config/problems.ts';
import { reseeded } from './config/seeds.ts';
import { type LocatedYaml, readYamlFile } from './config/yaml.ts';
import { strayIn } from './environment.ts';
import { AppError } from './errors.ts';
import { definitionName } from './strategies/load-strategies.ts';
import { paramsProblems, strangersIn } from './strategies/strategy-problems.ts';
import { unopenedMarkets } from './venue/unopened-markets.ts';

/** A deployment as its file describes it. */
export interface LoadedDeployment {
  readonly config: DeploymentConfig;
  readonly yaml: LocatedYaml;
  /** SHA-256 of the effective settings, defaults included. */
  readonly configHash: string;
  /** Settings in place of the file's, each as `path=value`. Default: none. */
  readonly set?: readonly string[];
}

/** What the command line says in place of the file. */
export interface LoadOptions {
  /** In place of every seed of the file. */
  readonly seed?: string | undefined;
  /** Settings in place of the file's, each as `path=value`. Default: none. */
  readonly set?: readonly string[] | undefined;
  /** Whether it is to trade: its venue must then have its markets. Default: false. */
  readonly trades?: boolean;
}

/**
 * Reads a deployment and checks all but the strategies' parameters, which only their own schemas
 * know. If the file is wrong anyway, problems with these are reported too.
 *
 * @throws {AppError} `configuration`, a line a problem with file, line and column; `usage` when a
 * setting is none.
 */
export function loadDeployment(
  file: string,
  { seed, set = [], trades = false }: LoadOptions = {},
): LoadedDeployment {
  const yaml = overridden(readYamlFile(file), set, { definitionName });
  const read = settingsIn(yaml, trades ? unopenedMarkets(yaml) : []);
  const config = seed === undefined ? read : reseeded(read, seed);
  const configHash = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  return { config, yaml, configHash, set };
}

function settingsIn(yaml: LocatedYaml, found: readonly string[]): DeploymentConfig {
  const part = { yaml, at: [], value: yaml.value };
  const further = [...found, ...strangersIn(yaml)];
  try {
    return readPart(deploymentSchema, { ...part, further });
  } catch {
    return readPart(deploymentSchema, { ...part, further: [...further, ...paramsProblems(yaml)] });
  }
}

/** A value of the file that is the name of an environment variable, and where it stands. */
export interface EnvironmentReference {
  readonly name: string;
  readonly path: readonly PropertyKey[];
  /** What it is to hold, in words. Default: the key. */
  readonly holds?: string;
}

/**
 * The values of environment variables that the file refers to, in that order.
 *
 * @throws {AppError} `configuration`, a line for each that is not set, is empty, or holds more than
 * its value.
 */
export function fromEnvironment(
  references: readonly EnvironmentReference[],
  yaml: LocatedYaml,
): string[] {
  const values = references.map(({ name }) => process.env[name] ?? '');
  const lines = references.flatMap(({ name, path, holds = 'the key' }, at) => {
    const stray = strayIn(values[at]!);
    if (values[at] !== '' && stray === undefined) return [];
    const what =
      stray === undefined
        ? `is not set, ${holds} is wanted in it`
        : `has ${stray}, ${holds} alone is wanted`;
    const where = `${yaml.locate(path)}: Cannot read ${path.map(String).join('.')}`;
    return [`${where}: the environment variable ${name} ${what}`];
  });
  if (lines.length === 0) return values;
  throw new AppError('configuration', lines.join('\n'));
}
