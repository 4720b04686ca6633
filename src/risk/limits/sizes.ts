import { z } from 'zod';
import { companion } from '../companions.ts';
import { count, fraction, milliseconds, money } from './types.ts';

/** Limits on the size of a market's orders and positions, and on the number of its orders. */
export const sizeLimits = {
  orderValueMax: money
    .default(100)
    .describe("Most that one order may be worth, in the market's quote currency."),
  orderAmountMax: money
    .optional()
    .describe('Most that one order may trade, in the base currency. Without it: no such limit.'),
  volumeShareMax: fraction
    .max(1, 'a number of at most 1 is wanted: 0.05 is 5 %')
    .optional()
    .describe(
      'Most that an order that opens a position may trade, as a fraction of what its market has ' +
        'traded in a window. Without it: no such limit.',
    ),
  volumeWindowMs: companion('volumeWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  openValueMax: money
    .default(1_000)
    .describe(
      'Most that all live orders of the deployment in a market may be worth together, in its ' +
        'quote currency. An order about to leave counts, even that of a target, which never ' +
        'rests. Beyond this limit only exits leave.',
    ),
  positionValueMax: money
    .default(1_000)
    .describe(
      'Most that the position may be worth on either side if every order of that side ' +
        'fills, in the quote currency.',
    ),
  longMax: z
    .number()
    .min(0)
    .optional()
    .describe('Largest long position, in the base currency. Without it: no such limit.'),
  shortMax: z
    .number()
    .min(0)
    .optional()
    .describe('Largest short position, in the base currency. Without it: no such limit.'),
  selfCrossAction: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe(
      'What happens to an order that would meet an own order on the other side, of ' +
        'whichever strategy. refuse: it does not leave; allow: it leaves, and the two may trade ' +
        'with each other and both pay fees. Most exchanges forbid that.',
    ),
  ownSpreadMin: fraction
    .max(1, 'a number of at most 1 is wanted: 0.001 is 0.1 %')
    .optional()
    .describe(
      'Least distance between own orders of both sides that may rest, of whichever ' +
        'strategies, as a fraction of the middle between them. Without it: no such limit.',
    ),
  openOrdersPerSideMax: count
    .default(10)
    .describe('Most live orders of one market and side, those that are not ours included.'),
  openOrdersPerMarketMax: count
    .default(20)
    .describe('Most live orders of one market, those that are not ours included.'),
};
