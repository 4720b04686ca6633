import { z } from 'zod';
import { INTERVAL_MS, INTERVALS, MONDAY_MS } from '../domain/index.ts';
import { DAY_MS } from '../kernel/index.ts';

/** A calendar year, days without trading included. */
export const CALENDAR_YEAR_MS = 365 * DAY_MS;

/** The periods that returns are taken over, milliseconds; months and years at their mean. */
const RETURN_PERIODS = {
  ...{ hour: 3_600_000, day: DAY_MS, week: 7 * DAY_MS },
  ...{ month: CALENDAR_YEAR_MS / 12, year: CALENDAR_YEAR_MS },
  ...INTERVAL_MS,
} as const;

/** How the figures of a report are worked out. */
export const reportConfig = z
  .strictObject({
    returnPeriod: z
      .enum(['hour', 'day', 'week', 'month', 'year', ...INTERVALS])
      .default('day')
      .describe(
        'Length of the returns behind volatility, Sharpe and Sortino. Periods are in UTC: weeks ' +
          'begin on Monday, months and years follow the calendar. The length of the candles ' +
          'gives one return per candle.',
      ),
    daysPerYear: z
      .number()
      .positive()
      .max(366)
      .default(365)
      .describe(
        'Days of a year on which there is trading, for annual figures: 365 where it never stops, ' +
          '252 for stocks.',
      ),
    emptyPeriods: z
      .enum(['earnNothing', 'leftOut'])
      .optional()
      .describe(
        'How a period without data counts, such as a hole in the candles or a Sunday for stocks:' +
          ' as one that earned nothing, or (`leftOut`) not at all. `leftOut` gives one return per' +
          ' candle, as in engines that only know rows. Default: `earnNothing`; `leftOut` with' +
          ' less than 365 days a year.',
      ),
    cagrYear: z
      .union([z.literal('periods'), z.number().positive().max(366)])
      .default(365)
      .describe(
        'Days of the year that the annual return (CAGR) compounds to, in Calmar too: 365 or ' +
          '365.25. `periods` counts returns instead of time, with as many in a year as Sharpe ' +
          'takes.',
      ),
    deviation: z
      .enum(['sample', 'population'])
      .default('sample')
      .describe(
        'How volatility, Sharpe and SQN take the deviation: `sample` divides by n - 1, ' +
          '`population` by n.',
      ),
    buyAndHold: z
      .enum(['firstOpen', 'firstClose'])
      .default('firstOpen')
      .describe(
        'Where buying and holding begins: at the first price of each market, or at its first ' +
          'close (the price when the account is first valued after the start).',
      ),
    riskFreeRate: z
      .number()
      .default(0)
      .describe('What money earns without risk in a year, subtracted for Sharpe: 0.03 is 3 %.'),
    requiredReturn: z
      .number()
      .default(0)
      .describe('The return of a year below which Sortino counts a period as bad: 0.03 is 3 %.'),
    sampleGates: z
      .boolean()
      .default(true)
      .describe('Whether figures that are based on too few days or trades are left out.'),
  })
  .refine(
    ({ returnPeriod, daysPerYear }) =>
      RETURN_PERIODS[returnPeriod] >= DAY_MS || daysPerYear * DAY_MS >= CALENDAR_YEAR_MS,
    {
      path: ['returnPeriod'],
      message:
        'how many hours a year has is not known where daysPerYear is below 365: day or week is wanted',
    },
  )
  .describe('Conventions of the figures in reports.');
export type ReportConfig = z.infer<typeof reportConfig>;
/** Whether a deviation divides by n - 1 or by n. */
export type Deviation = ReportConfig['deviation'];

/** The conventions as the figures need them. */
export interface Conventions {
  /** Name of the length that returns are taken over: `day`, or `4hour`. */
  readonly periodName: string;
  readonly periodMs: number;
  /** When one of the periods begins, milliseconds since the epoch. */
  readonly offsetMs: number;
  /** The days of a year on which there is trading, in milliseconds. */
  readonly yearMs: number;
  readonly periodsPerYear: number;
  /** Whether a period without data counts as one that earned nothing; otherwise it is left out. */
  readonly countsEmptyPeriods: boolean;
  /** Days of the year that CAGR compounds to; `periods`: CAGR goes by the count of returns. */
  readonly cagrYear: number | 'periods';
  readonly deviation: Deviation;
  readonly buyAndHold: ReportConfig['buyAndHold'];
  /** Fractions a year. */
  readonly riskFreeRate: number;
  readonly requiredReturn: number;
  readonly sampleGates: boolean;
}

/** The conventions that a configuration asks for. Default: every setting's default. */
export function conventionsOf(config: ReportConfig = reportConfig.parse({})): Conventions {
  const { returnPeriod, daysPerYear, emptyPeriods, ...rest } = config;
  const periodMs = RETURN_PERIODS[returnPeriod];
  const yearMs = daysPerYear * DAY_MS;
  const countsEmptyPeriods =
    emptyPeriods === undefined ? yearMs >= CALENDAR_YEAR_MS : emptyPeriods === 'earnNothing';
  // Nearly every period longer than a day has trading in it: such periods fill the whole year.
  const tradedMs = periodMs > DAY_MS ? Math.max(CALENDAR_YEAR_MS, yearMs) : yearMs;
  const periodMonths = calendarMonthsOf(returnPeriod);
  const periodsPerYear = periodMonths === undefined ? tradedMs / periodMs : 12 / periodMonths;
  const offsetMs = periodMs === RETURN_PERIODS.week ? MONDAY_MS : 0;
  const periods = { periodName: returnPeriod, periodMs, offsetMs };
  return { ...rest, ...periods, periodsPerYear, countsEmptyPeriods, yearMs };
}

/** The months in a calendar period (`month`, `year`); undefined for periods of a fixed length. */
export function calendarMonthsOf(periodName: string): number | undefined {
  if (periodName === 'month') return 1;
  return periodName === 'year' ? 12 : undefined;
}
