import { z } from 'zod';
import { AppError } from '../errors.ts';
import { didYouMean } from './suggest.ts';
import type { LocatedYaml } from './yaml.ts';

type JsonSchema = { [key: string]: unknown };
type Issue = z.core.$ZodIssue;

/**
 * Checks a YAML file against a schema and fills in its defaults.
 *
 * @throws {AppError} `configuration`: one line a problem, each with file, line, column, path and
 * what is wanted; an unknown key with the known key nearest to it.
 */
export function readAs<S extends z.ZodType>(schema: S, yaml: LocatedYaml): z.output<S> {
  const result = schema.safeParse(yaml.value);
  if (result.success) return result.data;
  throw problemsError(result.error.issues, { schema, yaml, at: [] });
}

/** Where a schema's issues belong in a file: `at` is the path of the value that it checked. */
export interface IssueContext {
  readonly schema: z.ZodType;
  readonly yaml: LocatedYaml;
  readonly at: readonly PropertyKey[];
}

/** All issues as one error, a line each. */
export function problemsError(issues: readonly Issue[], context: IssueContext): AppError {
  const lines = issues.flatMap(flatten).flatMap((issue) => describe(issue, context));
  return new AppError('configuration', [...new Set(lines)].join('\n'));
}

/** The issues of the union's best-fitting branch in place of the union's own. */
function flatten(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const branches = issue.errors as Issue[][];
  const best = branches.reduce((a, b) => (depthOf(b) > depthOf(a) ? b : a));
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(flatten);
}

function depthOf(issues: readonly Issue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length));
}

function describe(issue: Issue, { schema, yaml, at }: IssueContext): string[] {
  const path = [...at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(
      z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }),
      issue.path,
    );
    return issue.keys.map((key) => {
      const where = yaml.locate(path, key);
      const hint = didYouMean(key, known) || `, one of ${known.join(', ')} is wanted`;
      return `${where}: Cannot use key ${named([...path, key])}: it is unknown${hint}`;
    });
  }
  const where = yaml.locate(path);
  return [`${where}: Cannot use ${named(path)}: ${lowerFirst(issue.message)}`];
}

function named(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'this file' : `"${path.map(String).join('.')}"`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The keys that a JSON schema allows at a path. */
function keysAt(root: JsonSchema, path: readonly PropertyKey[]): string[] {
  let nodes: JsonSchema[] = expand(root, root);
  for (const step of path) {
    nodes = nodes.flatMap((node) => childrenAt(node, step)).flatMap((node) => expand(node, root));
  }
  return [...new Set(nodes.flatMap((node) => Object.keys((node.properties as object) ?? {})))];
}

function childrenAt(node: JsonSchema, step: PropertyKey): JsonSchema[] {
  const properties = (node.properties ?? {}) as Record<string, JsonSchema>;
  const named = properties[String(step)] ?? node.additionalProperties;
  const child = typeof step === 'number' ? node.items : named;
  return child !== null && typeof child === 'object' ? [child as JsonSchema] : [];
}

/** A schema and all that it may stand for. */
function expand(node: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (typeof node.$ref === 'string') {
    const name = node.$ref.split('/').at(-1)!;
    const target = (root.$defs as Record<string, JsonSchema> | undefined)?.[name];
    return target === undefined ? [] : expand(target, root);
  }
  const branches = [node.anyOf, node.oneOf, node.allOf].filter(Array.isArray).flat();
  return [node, ...branches.flatMap((branch: JsonSchema) => expand(branch, root))];
}
