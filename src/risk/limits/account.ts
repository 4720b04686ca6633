import { z } from 'zod';
import { companion } from '../companions.ts';
import { count, milliseconds } from './types.ts';

/** Limits on the whole account, and on each strategy. */
export const accountLimits = {
  openOrdersMax: count
    .default(100)
    .describe('Most live orders of the account, those that are not ours included.'),
  unknownOrdersMax: z
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('Most orders of unknown fate with which new orders still leave.'),
  orderRateWindowMs: milliseconds
    .default(10_000)
    .describe('Length of the window in which new orders are counted, in milliseconds.'),
  ordersPerWindowMax: count.default(300).describe('Most new orders of the account in a window.'),
  strategyOrdersPerWindowMax: count
    .default(200)
    .describe('Most new orders of one strategy in a window.'),
  apiErrorsPerWindowMax: count
    .optional()
    .describe(
      'Most requests of the account in a window that may end without a clear answer; beyond' +
        ' it only orders that shrink a position leave. Without it: no such limit.',
    ),
  apiErrorWindowMs: companion('apiErrorWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  ordersPerDayMax: count
    .optional()
    .describe(
      'Most new orders of a run from midnight UTC to midnight; beyond it only orders that shrink ' +
        'a position leave. Without it: no such limit.',
    ),
  executionsPerWindowMax: count
    .optional()
    .describe(
      'Most orders of one strategy that may trade within a window; one more leads to ' +
        'HALTED, until a person has looked into it. Without it: no such limit.',
    ),
  executionWindowMs: companion('executionWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  lossAction: z
    .enum(['REDUCING', 'HALTED'])
    .default('REDUCING')
    .describe('Trading state after a loss limit was reached, until a person resets it.'),
};
