import { z } from 'zod';
import { AppError } from '../errors.ts';
import { didYouMean } from './suggest.ts';
import { observed, wordingOf } from './wording.ts';
import type { LocatedYaml } from './yaml.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Issue = z.core.$ZodIssue;

/**
 * Checks a YAML file against a schema and fills in its defaults.
 *
 * @throws {AppError} `configuration`: one line for each problem, with file, line, column, path and
 * what is wanted; for an unknown key, with the nearest known one.
 */
export function readAs<S extends z.ZodType>(schema: S, yaml: LocatedYaml): z.output<S> {
  return readPart(schema, { yaml, at: [], value: yaml.value });
}

/** A part of a file: the value there and its path. */
export interface FilePart {
  readonly yaml: LocatedYaml;
  readonly at: readonly PropertyKey[];
  readonly value: unknown;
  /** Problems found elsewhere, told with those of the schema: whole lines. Default: none. */
  readonly further?: readonly string[];
}

/** Like `readAs`, for a part of the file that has a schema of its own. @throws {AppError} */
export function readPart<S extends z.ZodType>(schema: S, part: FilePart): z.output<S> {
  const { further = [] } = part;
  const result = schema.safeParse(part.value, { error: wordingOf });
  if (result.success && further.length === 0) return result.data;
  const issues = result.error?.issues.flatMap(flatten) ?? [];
  const lines = [...issues.flatMap((issue) => describe(issue, { ...part, schema })), ...further];
  throw new AppError('configuration', [...new Set(lines)].sort(byPlace).join('\n'));
}

/**
 * Replaces a union's issue by the issues of its best-fitting branch, unless no branch fits at all.
 */
function flatten(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const branches = issue.errors as Issue[][];
  const best = branches.reduce((a, b) => (fitOf(b) > fitOf(a) ? b : a));
  if (fitOf(best) === 0) return [issue];
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })).flatMap(flatten);
}

/** How far into a value a branch got before it failed: an unknown key is one level down. */
function fitOf(issues: readonly Issue[]): number {
  return Math.max(
    ...issues.map(({ code, path }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)),
  );
}

function describe(
  issue: Issue,
  { schema, yaml, at, value }: FilePart & { schema: z.ZodType },
): string[] {
  const path = [...at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const root = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
    const known = keysAt(root, issue.path);
    const inBacktest = ['backtest', ...issue.path.slice(-1)];
    const simulated = keysAt(root, inBacktest);
    return issue.keys.map((key) => {
      // The key itself may be a secret that an environment variable should hold.
      const name = isSecret(path)
        ? `a key in ${named(path, yaml)}`
        : `key ${named([...path, key], yaml)}`;
      const is = `${yaml.locate(path, key)}: Cannot use ${name}: it is unknown`;
      if (known.includes(key)) {
        const kind = kindOf(root, issue.path, valueAt(value, issue.path));
        return `${is} here, it belongs to another kind${kind && ` than ${kind}`}`;
      }
      if (simulated.includes(key)) {
        return `${is} here, a backtest alone knows it: ${named([...inBacktest, key], yaml)} is wanted`;
      }
      const wanted = known.length === 0 ? 'none' : `one of ${known.join(', ')}`;
      const hint = didYouMean(key, known) || `, ${wanted} is wanted`;
      return `${is}${hint}`;
    });
  }
  const text = isSecret(path) ? secretly(issue) : sentenceOf(issue, valueAt(value, issue.path));
  const where = yaml.locate(path);
  const said = where.startsWith('--set ') ? text.replace(QUOTED, shellQuoted(where)) : text;
  return [
    said.startsWith('Cannot ')
      ? `${where}: ${said}`
      : `${where}: Cannot use ${named(path, yaml)}: ${said}`,
  ];
}

/** The advice to put a number in quotes that should be a text. */
const QUOTED = /in quotes: (".*")$/;

/** The same advice for a command line, where the shell takes the outer quotes away. */
function shellQuoted(where: string): string {
  return `in quotes that the shell leaves alone: ${where.replace('--set ', "--set '")}=$1'`;
}

/** Sorts lines by their places in the file, comparing line and column as numbers. */
function byPlace(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** A message that names a thing, such as "a market such as btc_usdt", and is not a sentence. */
const NAMES_A_THING = /^(an?|one|the|money) (?!.*\b(must|should|has to|have to|is|are)\b)/;

/**
 * A sentence with what is and what is wanted. A schema's own message may be its second half, or all
 * of it, or a rule such as "enter must be above leave".
 */
function sentenceOf(issue: Issue, value: unknown): string {
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? '') : issue.message;
  const isWhole = /^(it is |Cannot )/.test(message);
  if (isWhole && issue.code !== 'invalid_key') return message;
  const is = issue.code === 'invalid_key' ? observed(issue.path.at(-1)) : observed(value);
  if (/ wanted\b/.test(message)) return `${is}, ${message}`;
  return NAMES_A_THING.test(message) ? `${is}, ${message} is wanted` : `${is}: ${message}`;
}

/** The sentence for an issue, without the value. */
function secretly({ message }: Issue): string {
  if (/^(Cannot |it is missing, )/.test(message)) return message;
  // The rest of the message, before and after what is wanted, may hold the value.
  const wanted = message.match(/[^,]* is wanted/g)?.at(-1) ?? message.split(', ').at(-1)!;
  return `it is of the wrong kind, ${wanted.trim()}`;
}

/** Settings whose values must never be shown: keys, and addresses that anybody may post to. */
const SECRETS: readonly PropertyKey[] = ['secretKey', 'accessKey', 'url', 'aliveUrl'];

/** Whether a value at that path must never be shown. */
function isSecret(path: readonly PropertyKey[]): boolean {
  return path.some((key) => SECRETS.includes(key));
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}

/** A path as text that continues another: `.params.fast`, entries of lists by their number. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
}

function named(path: readonly PropertyKey[], yaml: Pick<LocatedYaml, 'calls' | 'whole'>): string {
  const { calls, whole = 'this file' } = yaml;
  const text = calls?.(path) ?? pathText(path).replace(/^\./, '');
  return text === '' ? whole : `"${text}"`;
}

function keysAt(root: JsonSchema, path: readonly PropertyKey[]): string[] {
  const nodes = nodesAt(root, path);
  return [...new Set(nodes.flatMap((node) => Object.keys(node.properties ?? {})))];
}

/** The schemas that may apply to the value at a path. */
function nodesAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema[] {
  let nodes: JsonSchema[] = expand(root, root);
  for (const step of path) {
    nodes = nodes.flatMap((node) => childrenAt(node, step)).flatMap((node) => expand(node, root));
  }
  return nodes;
}

/** The key that says which kind a group is, such as `model: trades`; else empty. */
function kindOf(root: JsonSchema, path: readonly PropertyKey[], group: unknown): string {
  const branches = nodesAt(root, path);
  const choice = Object.entries((group ?? {}) as Record<string, unknown>).find(([key, chosen]) =>
    branches.some(({ properties }) => {
      const property = properties?.[key];
      return (
        typeof property === 'object' && property.const !== undefined && property.const === chosen
      );
    }),
  );
  return choice === undefined ? '' : choice.join(': ');
}

function childrenAt(node: JsonSchema, step: PropertyKey): JsonSchema[] {
  const named = node.properties?.[String(step)] ?? node.additionalProperties;
  const child = typeof step === 'number' ? node.items : named;
  return [child ?? []].flat().filter((one) => typeof one === 'object');
}

/** A schema and all schemas that it refers to or combines. */
function expand(node: JsonSchema, root: JsonSchema): JsonSchema[] {
  if (node.$ref !== undefined) {
    const target = root.$defs?.[node.$ref.split('/').at(-1)!];
    return target === undefined ? [] : expand(target, root);
  }
  const branches = [node.anyOf, node.oneOf, node.allOf].flatMap((some) => some ?? []);
  return [node, ...branches.flatMap((branch) => expand(branch, root))];
}
