import { z } from 'zod';

const queueAheadSchema = z.union([
  z.literal('none').describe('Nobody: an own order is the first at its price.'),
  z.strictObject({
    meanTrade: z.number().positive().describe('This many times the mean amount of recent trades.'),
  }),
  z.strictObject({
    amount: z.number().positive().describe('This amount, in the base currency.'),
  }),
]);

/** How orders fill from public trades alone. */
export const tradesModelSchema = z.strictObject({
  model: z.literal('trades').describe('From public trades.'),
  queueAhead: queueAheadSchema
    .prefault({ meanTrade: 5 })
    .describe('Amount that waits ahead of an own order when it arrives at its price.'),
  printCap: z
    .boolean()
    .default(true)
    .describe(
      'Whether a trade beyond the price of a resting order fills no more than its own amount; ' +
        'false: it fills the order whole.',
    ),
  touchMeanTrades: z
    .number()
    .positive()
    .default(1)
    .describe(
      'Amount that a taker order finds at the best price, in mean amounts of recent trades; ' +
        'twice that at the next level, half a spread further, and so on.',
    ),
});
/** Settings of the trades model, every default resolved. */
export type TradesModelSettings = z.infer<typeof tradesModelSchema>;
