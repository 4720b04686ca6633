import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageOf } from '../kernel/index.ts';
import { type DeploymentConfig, deploymentSchema } from './config/deployment.ts';
import { readAs } from './config/problems.ts';
import { type LocatedYaml, parseYaml } from './config/yaml.ts';
import { AppError } from './errors.ts';

/** A deployment as its file describes it. */
export interface LoadedDeployment {
  readonly config: DeploymentConfig;
  readonly yaml: LocatedYaml;
  /** SHA-256 of the effective settings, defaults included. */
  readonly configHash: string;
}

/** Reads a YAML file. @throws {AppError} `configuration` when it cannot be read. */
export function readYamlFile(file: string): LocatedYaml {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    const isMissing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
    const what = isMissing ? 'there is no such file, a deployment is wanted' : messageOf(thrown);
    throw new AppError('configuration', `Cannot read ${file}: ${what}`, { cause: thrown });
  }
  return parseYaml(file, text);
}

/**
 * Reads a deployment and checks all of it but what only the strategies' own schemas know.
 *
 * @throws {AppError} `configuration`, a line a problem with file, line and column.
 */
export function loadDeployment(file: string): LoadedDeployment {
  const yaml = readYamlFile(file);
  const config = readAs(deploymentSchema, yaml);
  const configHash = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  return { config, yaml, configHash };
}

/**
 * The value of an environment variable that the file refers to.
 *
 * @throws {AppError} `configuration` when it is not set or empty.
 */
export function fromEnvironment(
  name: string,
  where: { readonly yaml: LocatedYaml; readonly path: readonly PropertyKey[] },
): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  const place = where.yaml.locate(where.path);
  throw new AppError(
    'configuration',
    `${place}: Cannot read ${where.path.map(String).join('.')}: the environment variable ${name} is not set, the key is wanted in it`,
  );
}
