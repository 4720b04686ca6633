import { z } from 'zod';

const DAY_MS = 86_400_000;
/** A year as it passes, whether there is trading or not. */
export const CALENDAR_YEAR_MS = 365 * DAY_MS;

/** The lengths of time that returns are taken over, milliseconds. */
const RETURN_PERIODS = { hour: 3_600_000, day: DAY_MS, week: 7 * DAY_MS } as const;
/** A Monday, milliseconds since the epoch, which was a Thursday. Source: ISO 8601, weeks. */
const MONDAY_MS = 4 * DAY_MS;

/** How the figures of a report are worked out. */
export const reportConfig = z
  .strictObject({
    returnPeriod: z
      .enum(['hour', 'day', 'week'])
      .default('day')
      .describe(
        'Volatility, Sharpe and Sortino are taken over returns of this length, in UTC; weeks begin ' +
          'on Monday.',
      ),
    daysPerYear: z
      .number()
      .positive()
      .max(366)
      .default(365)
      .describe(
        'Days of a year on which there is trading, for annual figures: 365 where it never stops, ' +
          '252 for stocks. Below 365, periods without data are none, in place of ones without return.',
      ),
    riskFreeRate: z
      .number()
      .default(0)
      .describe('What money earns without risk, a fraction a year; taken off for Sharpe.'),
    requiredReturn: z
      .number()
      .default(0)
      .describe('The return below which Sortino counts a period as bad, a fraction a year.'),
    sampleGates: z
      .boolean()
      .default(true)
      .describe('Whether a figure that too few days or trades stand behind is left out.'),
  })
  .refine(
    ({ returnPeriod, daysPerYear }) =>
      returnPeriod !== 'hour' || daysPerYear * DAY_MS >= CALENDAR_YEAR_MS,
    {
      path: ['returnPeriod'],
      message:
        'how many hours a year has is not known where daysPerYear is below 365: day or week is wanted',
    },
  )
  .describe('Conventions of the figures in reports.');
export type ReportConfig = z.infer<typeof reportConfig>;

/** The conventions as the figures need them. */
export interface Conventions {
  /** Name of the length that returns are taken over: `day`. */
  readonly periodName: string;
  readonly periodMs: number;
  /** When some period begins, milliseconds since the epoch. */
  readonly offsetMs: number;
  /** The part of a year in which there is trading. */
  readonly yearMs: number;
  readonly periodsPerYear: number;
  /** Whether a period without any data is one that earned nothing; else it is none. */
  readonly countsEmptyPeriods: boolean;
  /** Fractions a year. */
  readonly riskFreeRate: number;
  readonly requiredReturn: number;
  readonly sampleGates: boolean;
}

/** The conventions that a configuration asks for. Default: all its defaults. */
export function conventionsOf(config: ReportConfig = reportConfig.parse({})): Conventions {
  const { returnPeriod, daysPerYear, ...rest } = config;
  const periodMs = RETURN_PERIODS[returnPeriod];
  const yearMs = daysPerYear * DAY_MS;
  const countsEmptyPeriods = yearMs >= CALENDAR_YEAR_MS;
  // There is trading in every week, on whichever of its days.
  const periodsPerYear = (returnPeriod === 'week' ? CALENDAR_YEAR_MS : yearMs) / periodMs;
  const offsetMs = returnPeriod === 'week' ? MONDAY_MS : 0;
  const periods = { periodName: returnPeriod, periodMs, offsetMs };
  return { ...rest, ...periods, periodsPerYear, countsEmptyPeriods, yearMs };
}
