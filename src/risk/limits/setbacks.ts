import { z } from 'zod';
import { companion } from '../companions.ts';
import { count, fraction, milliseconds } from './types.ts';

/**
 * Setbacks after which a market gets no new orders for a while, or none that open: orders that the
 * exchange rejects, that hardly trade, or that trade at a loss.
 */
export const setbackLimits = {
  rejectsInRowMax: count
    .default(20)
    .describe(
      'Most orders of a market in a row that the exchange may reject or leave without an ' +
        'answer, not counting post-only orders that it sends back; beyond it the market ' +
        'pauses.',
    ),
  rejectsPerWindowMax: count
    .default(60)
    .describe(
      'Most orders of a market in a window that the exchange may reject or leave without an ' +
        'answer, not counting post-only orders that it sends back.',
    ),
  rejectWindowMs: milliseconds.default(60_000).describe('Length of that window, in milliseconds.'),
  postOnlyRejectsInRowMax: count
    .default(100)
    .describe(
      'Most post-only orders of a market in a row that the exchange may send back because they ' +
        'would trade, which is frequent in fast markets; beyond it the market pauses.',
    ),
  rejectPauseMs: milliseconds
    .default(5_000)
    .describe(
      'Length of the first pause of a market, milliseconds; each further pause is twice as ' +
        'long, up to an hour.',
    ),
  rejectPausesMax: count
    .default(6)
    .describe('Most pauses of a market in a row; one more leads to HALTED.'),
  orderToTradeMax: z
    .number()
    .min(1, 'a number of at least 1 is wanted: 100 is a hundred orders for each that trades')
    .optional()
    .describe(
      'Most orders of a market that may leave in a window for each order that trades in it, of ' +
        'all strategies together; beyond it only orders that shrink a position leave. Without it: ' +
        'no such limit.',
    ),
  orderToTradeWindowMs: companion('orderToTradeWindowMs', milliseconds).describe(
    'Length of that window, in milliseconds.',
  ),
  orderToTradeFreeOrders: companion('orderToTradeFreeOrders', z.number().int().min(0)).describe(
    'Orders of a market that may leave in that window in any case, however few trade.',
  ),
  lossesInRowMax: count
    .optional()
    .describe(
      'Most orders of a market in a row that may close at a loss, fees included; after one more, ' +
        'only orders that shrink its position leave for a while. Without it: no such limit.',
    ),
  lossPauseMs: companion('lossPauseMs', milliseconds).describe(
    'Length of that pause, counted from the last losing order, in milliseconds.',
  ),
  markoutLossMax: fraction
    .max(1, 'a number of at most 1 is wanted: 0.001 is 0.1 %')
    .optional()
    .describe(
      'Most that the newest fills of a market may have lost some time after they traded, on' +
        ' average, as a fraction of their value; beyond it only orders that shrink the position ' +
        'leave for a while. Without it: no such limit.',
    ),
  markoutMs: companion('markoutMs', milliseconds).describe(
    'How long after a fill its loss is measured, in milliseconds.',
  ),
  markoutFills: companion('markoutFills', count).describe(
    'How many of the newest fills count. Until there are so many, nothing is judged.',
  ),
  markoutPauseMs: companion('markoutPauseMs', milliseconds).describe(
    'Length of the pause in which only orders that shrink the position leave, in milliseconds.',
  ),
};
