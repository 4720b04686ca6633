import { z } from 'zod';

/** How orders fill where the best bid and ask alone are recorded. */
export const quotesModelSchema = z.strictObject({
  model: z.literal('quotes').describe('From the recorded best bid and ask.'),
  size: z
    .number()
    .positive()
    .optional()
    .describe(
      'What stands at each best price, in the base currency, in place of the amounts of the ' +
        'data. Default: their amounts; quotes without any want it.',
    ),
});
export type QuotesModelSettings = z.infer<typeof quotesModelSchema>;

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function quotesConfession({ size }: QuotesModelSettings): string[] {
  return [
    'An order that takes meets the best price of the other side, up to the amount that stands there; ' +
      'there is no depth beyond. What is left rests or is cancelled, as in any book, and a target ' +
      'tries again with the quotes that follow.',
    size === undefined
      ? 'At each best price stands the amount of the recording; a side without a price or an amount ' +
        'is empty.'
      : `At each best price stand ${size} of the base currency (backtest.fill.size), whatever the ` +
        'recording says.',
    'What own orders took of a best price comes back when the recording names another price or ' +
      'amount there.',
    'An order that rests fills at its own price once a quote of the other side reaches that, up to the ' +
      'amount of the quote, whoever waited before it. There are no trades: none fills it earlier, as ' +
      'a trade at its price would have.',
    'A quote stands until the next one. After an hour without any (or data.staleAfterMs.depth, where ' +
      'that is longer), and in a gap of the recording, it is stale: no order leaves, and what rests is ' +
      'cancelled after risk.staleRestMaxMs.',
    'Candles are built of the middles of bid and ask, and their volume counts quotes.',
    'Strategies see the quotes of the recording: own orders are never the best price, as they may be ' +
      'on an exchange, and what these took still stands.',
    'What own orders would have changed in the behaviour of others is not modelled.',
  ];
}
