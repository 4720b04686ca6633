import { z } from 'zod';

const milliseconds = z.number().int().positive();

const feedsSchema = z.strictObject({
  ticker: z.boolean().default(true).describe('Take tickers from the feed.'),
  depth: z.boolean().default(true).describe('Take depth from the feed.'),
  trades: z.boolean().default(true).describe('Take trades from the feed.'),
  candles: z
    .boolean()
    .default(true)
    .describe('Take candles from the feed, if `candles` is `venue`.'),
});

const staleAfterSchema = z.strictObject({
  ticker: milliseconds.default(10_000).describe('Silence after which a ticker counts as stale.'),
  depth: milliseconds.default(5_000).describe('Silence after which depth counts as stale.'),
  trades: milliseconds
    .default(10_000)
    .describe('Time without a successful read or a connected feed after which trades are stale.'),
  candles: milliseconds
    .default(60_000)
    .describe('Time beyond the interval without a candle after which candles are stale.'),
});

/** Settings of the market data: cadence, sources, candles, staleness. `{}` is a good choice. */
export const marketConfigSchema = z.strictObject({
  tickerPollMs: milliseconds.default(1_000).describe('Milliseconds between ticker requests.'),
  depthPollMs: milliseconds.default(500).describe('Milliseconds between depth requests.'),
  tradesPollMs: milliseconds.default(500).describe('Milliseconds between trades requests.'),
  candlesPollMs: milliseconds
    .default(5_000)
    .describe(
      'Milliseconds between candle requests of one market and interval. With `candles: venue`, a ' +
        'candle may be heard this long after its end, unless a push of the next one comes earlier.',
    ),
  depthLevels: z
    .number()
    .int()
    .min(1)
    .max(50)
    .default(50)
    .describe('Levels a side in a depth request, 1 to 50.'),
  requestTimeoutMs: milliseconds
    .default(5_000)
    .describe('Milliseconds after which a request without an answer counts as failed.'),
  backoffMaxMs: milliseconds
    .default(30_000)
    .describe('Longest pause between requests that keep failing, milliseconds.'),
  feeds: z
    .union([z.boolean(), feedsSchema])
    .default(true)
    .describe('Take data from the feed and poll only while it is down or silent; per kind or all.'),
  feedSilenceMs: z
    .number()
    .int()
    .min(0)
    .default(5_000)
    .describe(
      'Silence of a feed after which its data is polled, milliseconds; 0: a connected feed ' +
        'may be silent. Tickers and depth: half of `staleAfterMs` at most.',
    ),
  feedJoinTimeoutMs: milliseconds
    .default(3_000)
    .describe('Longest wait for requests that fill the gap before a feed of trades, milliseconds.'),
  candles: z
    .enum(['trades', 'venue'])
    .default('trades')
    .describe(
      'trades: candles are built from trades; venue: those of the venue are taken, each as a ' +
        'request finds it after its end.',
    ),
  candleHistory: z
    .number()
    .int()
    .min(0)
    .max(999)
    .default(500)
    .describe('Number of closed candles published before the live ones, for warming up.'),
  candleGraceMs: z
    .number()
    .int()
    .min(0)
    .default(1_000)
    .describe(
      'How long to wait for late trades after the end of an interval before its candle closes, ' +
        'milliseconds.',
    ),
  exchangeAgeMaxMs: milliseconds
    .default(60_000)
    .describe(
      "Greatest age of depth by the exchange's own stamp, milliseconds. An older book is " +
        'dropped, so that a frozen book turns stale. Ages are measured from the least lag of ' +
        'the run, so a constant difference of the clocks does not matter. Data stamped more ' +
        'than this ahead are left out and told as a gap.',
    ),
  staleAfterMs: staleAfterSchema
    .prefault({})
    .describe('Milliseconds of silence after which a stream is reported stale, per kind.'),
});

export type MarketConfig = z.infer<typeof marketConfigSchema>;

/** The kinds of data that may come from a feed. */
export type FeedKind = keyof z.infer<typeof feedsSchema>;

/** Whether the configuration takes this kind from the feed. */
export function usesFeed(config: MarketConfig, kind: FeedKind): boolean {
  return typeof config.feeds === 'boolean' ? config.feeds : config.feeds[kind];
}
