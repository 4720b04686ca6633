import { z } from 'zod';

const DAY_MS = 86_400_000;

/** The lengths of time that returns are taken over, milliseconds. */
const RETURN_PERIODS = { hour: 3_600_000, day: DAY_MS, week: 7 * DAY_MS } as const;

/** How the figures of a report are worked out. */
export const reportConfig = z
  .strictObject({
    returnPeriod: z
      .enum(['hour', 'day', 'week'])
      .default('day')
      .describe('Volatility, Sharpe and Sortino are taken over returns of this length, in UTC.'),
    daysPerYear: z
      .number()
      .positive()
      .max(366)
      .default(365)
      .describe(
        'Days of a year for annual figures: 365 where trading never stops, 252 for stocks.',
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
  .describe('Conventions of the figures in reports.');
export type ReportConfig = z.infer<typeof reportConfig>;

/** The conventions as the figures need them. */
export interface Conventions {
  /** Name of the length that returns are taken over: `day`. */
  readonly periodName: string;
  readonly periodMs: number;
  readonly yearMs: number;
  readonly periodsPerYear: number;
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
  return { ...rest, periodName: returnPeriod, periodMs, yearMs, periodsPerYear: yearMs / periodMs };
}
