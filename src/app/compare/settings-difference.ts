/** A setting that two runs do not share. */
export interface SettingDifference {
  /** Such as `strategies.0.params.fast`. */
  readonly path: string;
  /** Undefined where a run does not have it. */
  readonly a: unknown;
  readonly b: unknown;
}

/** Settings that say where things are put, not what is done. */
const PLACES: ReadonlySet<string> = new Set([
  ...[
    '$schema',
    'log',
    'journal',
    'strategyFolder',
    'backtest.folder',
    'backtest.report.html',
    'backtest.dataFolder',
  ],
]);

/** The settings in which two files differ, down to single values; an absent one is not a null. */
export function settingDifferences(a: unknown, b: unknown, path = ''): SettingDifference[] {
  if (PLACES.has(path) || Object.is(a, b)) return [];
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) {
    return [{ path, a, b }];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    settingDifferences(a[key], b[key], path === '' ? key : `${path}.${key}`),
  );
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
