import { z } from 'zod';
import { money } from './types.ts';

/** Limits on losses, exposure and turnover in a quote currency. */
export const currencyLimits = {
  dailyLossMax: money
    .default(50)
    .describe(
      'Most that may be lost since midnight UTC, in each quote currency. On a venue, fills of ' +
        'earlier runs of the day count; what was held at midnight counts from the first price ' +
        'after a restart. More leads to `lossAction`, which midnight does not end: it lasts ' +
        'until a person resets it, in a backtest to the end.',
    ),
  drawdownMax: money
    .default(100)
    .describe(
      'Most that may be lost from the highest profit of this run, or from the profit at ' +
        'the start of its first day, in each quote currency.',
    ),
  exposureMax: money
    .optional()
    .describe(
      'Most that the positions of all markets may be worth together, long and short alike, if ' +
        'every order of the worse side of each fills, in each quote currency. Without it: no such limit.',
    ),
  tradedValuePerDayMax: money
    .optional()
    .describe(
      'Most that a run may trade from midnight UTC to midnight, bought and sold, in each quote ' +
        'currency; beyond it only orders that shrink a position leave. Without it: no such limit.',
    ),
};

/** The limit that the markets of a group share. */
export const groupLimits = z.strictObject({
  markets: z
    .array(z.string())
    .min(1)
    .describe('The markets of the group, all of one quote currency; one may be in several groups.'),
  exposureMax: money.describe(
    'Most that the positions of the group may be worth together, long and short alike, if every ' +
      'order of the worse side of each market fills, in its quote currency.',
  ),
});
