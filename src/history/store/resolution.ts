const UNITS_MS = { s: 1_000, min: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };
type Unit = keyof typeof UNITS_MS;

/** Other names of units, as files and other tools write them. `1M` is a month, which has no length. */
const ALIASES: Readonly<Record<string, Unit>> = {
  ...{ s: 's', sec: 's', m: 'min', min: 'min', h: 'hour', hour: 'hour', d: 'day', day: 'day' },
  ...{ w: 'week', week: 'week' },
};

/** The name of a candle's length, such as `1min`, `4hour` or `1day`. */
export function resolutionName(stepMs: number): string {
  const units = Object.entries(UNITS_MS).reverse();
  const [unit, unitMs] = units.find(([, ms]) => stepMs % ms === 0) ?? ['ms', 1];
  return `${stepMs / unitMs}${unit}`;
}

/** Milliseconds of a name such as `1min`, `5m` or `1h`; undefined when it is none. */
export function resolutionMs(name: string): number | undefined {
  const [, count = '', word = ''] = /^([1-9]\d{0,5})([a-z]+)$/.exec(name) ?? [];
  const unit = ALIASES[word];
  return unit === undefined ? undefined : Number(count) * UNITS_MS[unit];
}

/** Where bars of a length begin: weeks on Monday as exchanges count them, all else on the epoch. */
export function originMs(stepMs: number): number {
  return stepMs % UNITS_MS.week === 0 ? 4 * UNITS_MS.day : 0;
}
