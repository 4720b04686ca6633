import { z } from 'zod';

/** How orders fill where only the best bid and ask are recorded. */
export const quotesModelSchema = z.strictObject({
  model: z.literal('quotes').describe('From the recorded best bid and ask.'),
  size: z
    .number()
    .positive()
    .optional()
    .describe(
      'Amount at each best price, in the base currency, in place of the amounts of the data. ' +
        'Default: their amounts; required for quotes without any.',
    ),
});
export type QuotesModelSettings = z.infer<typeof quotesModelSchema>;

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function quotesConfession({ size }: QuotesModelSettings): string[] {
  return [
    'An order that takes meets the best price of the other side, up to the amount quoted there; ' +
      'there is no depth beyond it. What is left of the order rests or is cancelled, as in any ' +
      'book, and a target tries again with the quotes that follow.',
    size === undefined
      ? 'Each best price has the amount of the recording; a side without a price or an amount is ' +
        'empty.'
      : `Each best price has an amount of ${size} in the base currency (backtest.fill.size), ` +
        'whatever the recording says.',
    'What own orders took at a best price comes back when the recording names another price or ' +
      'amount there.',
    'A resting order fills at its own price once a quote of the other side reaches that price, ' +
      'up to the amount of the quote, whoever waits ahead of it. There are no trades, so none at ' +
      'its price fills it earlier.',
    'A quote stands until the next one. After an hour without a new one (or ' +
      'data.staleAfterMs.depth, if that is longer), and in a gap of the recording, it is stale: ' +
      'no order leaves, and resting orders are cancelled after risk.staleRestMaxMs.',
    'Candles are built from the mid prices, and their volume is the number of quotes.',
    'Strategies see the quotes of the recording: unlike on an exchange, own orders are never the ' +
      'best price, and what own orders took still stands.',
    'How others would have reacted to own orders is not modelled.',
  ];
}
