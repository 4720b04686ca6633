import { z } from 'zod';
import { blackoutSchema } from '../blackouts.ts';
import { fraction, milliseconds, money } from './types.ts';

/** Limits on the prices of a market's orders, and on when they may leave or rest. */
export const priceLimits = {
  collarFraction: fraction
    .max(1, 'a number of at most 1 is wanted: 0.02 is 2 %')
    .default(0.02)
    .describe('How far a buy may be above, or a sell below, the reference price, as a fraction.'),
  bandFraction: fraction
    .default(0.5)
    .describe('How far a buy may be below, or a sell above, the reference price, as a fraction.'),
  fillLossMax: money
    .optional()
    .describe(
      'Most that an order that opens a position may lose at once, in the quote currency: its ' +
        'amount times the distance by which its price is worse than the reference price, without ' +
        'fees. Without it: no such limit.',
    ),
  priceMin: money
    .optional()
    .describe('Lowest price at which a position is opened or grows. Without it: none.'),
  priceMax: money
    .optional()
    .describe('Highest price at which a position is opened or grows. Without it: none.'),
  blackouts: z
    .array(blackoutSchema)
    .default([])
    .describe('Windows of the day in which only orders that shrink a position leave or rest.'),
  referenceAgeMaxMs: milliseconds
    .default(10_000)
    .describe('Greatest age at which depth gives a reference price, in milliseconds.'),
  staleRestMaxMs: z
    .number()
    .int()
    .min(0)
    .default(30_000)
    .describe(
      "How long orders may rest while a market's data are stale, before they are cancelled, in " +
        'milliseconds. 0: for ever.',
    ),
  duplicateWindowMs: milliseconds
    .default(1_000)
    .describe('Time in which a live order with the same terms makes a new one a duplicate.'),
};
