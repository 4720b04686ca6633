import { readDuration } from '../../kernel/index.ts';

const UNITS_MS = { s: 1_000, min: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

/** The name of a candle's length, such as `1min`, `4hour` or `1day`. */
export function resolutionName(stepMs: number): string {
  const units = Object.entries(UNITS_MS).reverse();
  const [unit, unitMs] = units.find(([, ms]) => stepMs % ms === 0) ?? ['ms', 1];
  return `${stepMs / unitMs}${unit}`;
}

/** Milliseconds of a name such as `1min`, `5m` or `1h`; undefined when it is none. */
export function resolutionMs(name: string): number | undefined {
  return /^[1-9]\d{0,5}(?!ms)[a-z]+$/.test(name) ? readDuration(name) : undefined;
}

/** The time from which bars are counted: a Monday for weeks, as at exchanges, else the epoch. */
export function originMs(stepMs: number): number {
  return stepMs % UNITS_MS.week === 0 ? 4 * UNITS_MS.day : 0;
}
