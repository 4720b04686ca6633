import { entryName } from '../config/overrides.ts';

/** A setting that two runs do not share. */
export interface SettingDifference {
  /** Such as `strategies.ema-cross.params.fast`, as `--set` takes it. */
  readonly path: string;
  /** Undefined where a run does not have it. */
  readonly a: unknown;
  readonly b: unknown;
}

/** Settings that say where output and input lie, not what is done. */
const PLACES: ReadonlySet<string> = new Set([
  ...['$schema', 'log', 'journal', 'strategyFolder'],
  ...['backtest.folder', 'backtest.report.html', 'backtest.dataFolder'],
]);

/**
 * The settings in which two files differ, down to single values; an absent one differs from null.
 * Entries of lists are matched by name if each has its own, else by index.
 */
export function settingDifferences(a: unknown, b: unknown, path = ''): SettingDifference[] {
  if (PLACES.has(path) || Object.is(a, b)) return [];
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) {
    return [{ path, a, b }];
  }
  const [ofA, ofB] = [named(a), named(b)];
  const [partsA, partsB] = ofA !== undefined && ofB !== undefined ? [ofA, ofB] : [a, b];
  const keys = new Set([...Object.keys(partsA), ...Object.keys(partsB)]);
  return [...keys].flatMap((key) =>
    settingDifferences(partsA[key], partsB[key], joined(path, key)),
  );
}

/** The entries of a list by name; undefined if one has no name of its own, or it is no list. */
function named(value: Branch): Branch | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((entry: unknown) => [entryName(entry), entry] as const);
  const names = new Set(entries.map(([name]) => name));
  if (names.has(undefined) || names.size < entries.length) return undefined;
  return Object.fromEntries(entries) as Branch;
}

/** The path of a key within another; a key with a dot stands in brackets. */
function joined(path: string, key: string): string {
  if (key.includes('.')) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

type Branch = Readonly<Record<string, unknown>>;

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null;
}
