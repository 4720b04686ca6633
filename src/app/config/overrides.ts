import { defaultJournalPath } from '../../storage/index.ts';
import { AppError } from '../errors.ts';
import { unlessShared } from '../unless-shared.ts';
import { pathText, valueAt } from './problems.ts';
import { didYouMean } from './suggest.ts';
import { type LocatedYaml, parseValue } from './yaml.ts';

/** A setting of the command line that overrides the file's. */
interface Override {
  /** Its path as it was given, without the value, which may be a secret. */
  readonly text: string;
  /** The steps of its path as they were given. */
  readonly steps: readonly string[];
  /** Its path in the file, with entries of lists by their number. */
  readonly path: readonly PropertyKey[];
}

/** Tells the name in the definition of a strategy. */
interface Naming {
  readonly definitionName?: (use: string, yaml: LocatedYaml) => string | undefined;
}

/** A file's settings with the overrides applied so far. */
interface Changed extends Naming {
  readonly yaml: LocatedYaml;
  readonly value: unknown;
  readonly overrides: readonly Override[];
}

/** A step of a path: a name after a dot, or anything in brackets. */
const STEP = /(?:^|\.)([^.[\]]+)|\[([^\]]+)\]/gy;

/** Keys that name an entry of a list, such as strategies or accounts: the first that it has. */
const NAMES = ['name', 'id', 'use'];

/**
 * The settings of a file with some overridden, each as `path=value`: a path like
 * `risk.orderValueMax`, with entries of lists by number or name (`strategies[0].params.fast`,
 * `strategies.ema-cross.params.fast`), and a value in YAML. A strategy given by its path is also
 * found by the name in its definition, if `definitionName` tells it. Later settings override
 * earlier ones. Errors in them are located at `--set` and the path.
 *
 * @throws {AppError} `usage` for text that is no setting, `configuration` when a list has no such
 * entry or the value is no YAML.
 */
export function overridden(
  yaml: LocatedYaml,
  settings: readonly string[],
  naming: Naming = {},
): LocatedYaml {
  if (settings.length === 0) return yaml;
  const start: Changed = { ...naming, yaml, value: yaml.value, overrides: [] };
  const { value, overrides } = settings.reduce(changed, start);
  const overrideAt = (whole: readonly PropertyKey[]): Override | undefined => {
    const isNew = valueAt(yaml.value, whole) === undefined;
    return overrides.findLast(
      (one) => begins(whole, one.path) || (isNew && begins(one.path, whole)),
    );
  };
  const locate = (path: readonly PropertyKey[], key?: string): string => {
    const override = overrideAt(key === undefined ? path : [...path, key]);
    return override === undefined ? yaml.locate(path, key) : `--set ${override.text}`;
  };
  const calls = (path: readonly PropertyKey[]): string | undefined => {
    const override = overrideAt(path);
    if (override === undefined) return yaml.calls?.(path);
    const { steps, text } = override;
    if (path.length < steps.length) return steps.slice(0, path.length).join('.');
    return text + pathText(path.slice(steps.length));
  };
  return { ...yaml, value: withOwnJournal(value, yaml), locate, calls };
}

/** Those of the settings, each as `path=value`, that lie in one group of the file. */
export function settingsWithin(group: string, settings: readonly string[]): string[] {
  return settings.filter((setting) => setting.split(/[.[\]=]/).find(Boolean) === group);
}

function changed({ value, overrides, ...parts }: Changed, setting: string): Changed {
  const [text = ''] = setting.split('=', 1);
  const steps = Array.from(text.matchAll(STEP), ([, name, quoted]) => name ?? quoted ?? '');
  const isWhole = steps.length > 0 && text.replace(STEP, '') === '';
  if (!isWhole || !setting.includes('=')) {
    const what = 'a path and a value such as risk.orderValueMax=100 are wanted';
    throw new AppError('usage', `Cannot set "${text}": ${what}`);
  }
  if (steps.includes('__proto__')) {
    const what = '"__proto__" is no key, another one is wanted';
    throw new AppError('usage', `Cannot set "${text}": ${what}`);
  }
  const given = parseValue(`--set ${text}`, setting.slice(text.length + 1));
  const path = resolved(value, { steps, text, overrides, ...parts });
  const others = [...overrides, { text, steps, path }];
  return { ...parts, value: placed(value, { path, given }), overrides: others };
}

/**
 * Keeps the journal of a deployment that `--set name=...` renames: its former orders, losses and
 * halts must not be forgotten.
 */
function withOwnJournal(value: unknown, { value: own }: LocatedYaml): unknown {
  const [name, given] = [own, value].map((one) => valueAt(one, ['name']));
  const path = ['journal', 'path'];
  const isRenamed = typeof name === 'string' && typeof given === 'string' && name !== given;
  if (!isRenamed || valueAt(value, path) !== undefined) return value;
  return placed(value, { path, given: defaultJournalPath(name) });
}

/** The path with names of list entries replaced by their numbers. */
function resolved(
  root: unknown,
  { steps, ...said }: { readonly steps: readonly string[] } & Said,
): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (const step of steps) {
    const list = valueAt(root, path);
    path.push(Array.isArray(list) ? entryOf(list, { step, path, ...said }) : step);
  }
  return path;
}

/** A setting as it was given, and the file that it changes. */
interface Said extends Naming {
  readonly text: string;
  readonly yaml: LocatedYaml;
  /** The overrides before it. */
  readonly overrides: readonly Override[];
}

interface Step extends Said {
  readonly step: string;
  /** The path of the list. */
  readonly path: readonly PropertyKey[];
}

/** The number of an entry. @throws {AppError} `configuration` when there is none. */
function entryOf(list: readonly unknown[], { step, path, text, ...naming }: Step): number {
  const { yaml, overrides } = naming;
  const at = /^\d+$/.test(step) ? Number(step) : list.map(entryName).indexOf(step);
  if (at >= 0 && at < list.length) return at;
  const where = path.map(String).join('.');
  const names = where === 'strategies' ? strategyNames(list, naming) : list.map(entryName);
  if (names.includes(step)) return names.indexOf(step);
  // An earlier setting may have renamed the entry: its name in the file works too.
  const isFilesOwn = !overrides.some((one) => begins(path, one.path));
  const own = isFilesOwn ? valueAt(yaml.value, path) : undefined;
  const former = Array.isArray(own) ? own.map(entryName).indexOf(step) : -1;
  if (former >= 0) return former;
  const known = names.filter((name) => name !== undefined);
  const hint = didYouMean(step, known) || `, ${entriesText(list, known)} is wanted`;
  const what = `the list has no such entry${hint}`;
  throw new AppError('configuration', `--set ${text}: Cannot use "${where}[${step}]": ${what}`);
}

/** Which entries a list has, by their names and numbers. */
function entriesText({ length }: readonly unknown[], names: readonly string[]): string {
  if (length === 0) return 'an entry';
  const numbers = length === 1 ? '0' : `0 to ${length - 1}`;
  return names.length === 0
    ? `the number of an entry (${numbers})`
    : `${names.join(' or ')} (or its number, ${numbers})`;
}

/** The name of an entry of a list; undefined where it has none. */
export function entryName(entry: unknown): string | undefined {
  const names = NAMES.map((key) => valueAt(entry, [key]));
  return names.find((name) => typeof name === 'string');
}

/** The names of strategies as reports show them: see `shownNames` of a backtest. */
function strategyNames(
  entries: readonly unknown[],
  { yaml, definitionName }: Pick<Said, 'yaml' | 'definitionName'>,
): (string | undefined)[] {
  const wanted = entries.map((entry) => {
    const [name, use] = [valueAt(entry, ['name']), valueAt(entry, ['use'])];
    const isUnnamed = name === undefined && typeof use === 'string';
    return (isUnnamed ? definitionName?.(use, yaml) : undefined) ?? entryName(entry);
  });
  return unlessShared(wanted, entries.map(entryName));
}

/** A copy with a value at a path. Anything but a group or a list on the way becomes a group. */
function placed(
  node: unknown,
  { path, given }: { readonly path: readonly PropertyKey[]; readonly given: unknown },
): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return given;
  const child = placed(valueAt(node, [step]), { path: rest, given });
  if (Array.isArray(node)) return node.with(Number(step), child);
  return { ...(isGroup(node) ? node : {}), [step]: child };
}

function isGroup(node: unknown): node is Readonly<Record<PropertyKey, unknown>> {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

/** Whether a path begins with another, or is it. */
function begins(path: readonly PropertyKey[], beginning: readonly PropertyKey[]): boolean {
  return beginning.every((step, at) => at < path.length && String(path[at]) === String(step));
}
