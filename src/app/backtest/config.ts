import { z } from 'zod';
import { INTERVALS, MARKET_ID } from '../../domain/index.ts';
import { readMoment } from '../../kernel/index.ts';
import { reportConfig } from '../../report/index.ts';
import {
  candlesModelSchema,
  depthModelSchema,
  feedLatencySchema,
  orderLatencySchema,
  quotesModelSchema,
  syntheticSchema,
  tradesModelSchema,
} from '../../sim/index.ts';
import { feesSchema } from './fees.ts';

const marketName = z.string().regex(MARKET_ID, 'a market such as btc_usdt is wanted');
const scale = z.int().min(0).max(12);
const moment = z
  .string()
  .refine((text) => readMoment(text) !== undefined, 'a moment in UTC such as 2021-05-01 is wanted');

const rules = {
  priceScale: scale
    .optional()
    .describe(
      'Decimal places of a price. Default: those of the data, as far as the highest price ' +
        'leaves room: 11 at 200, 8 at 40 000.',
    ),
  amountScale: scale
    .optional()
    .describe(
      'Decimal places of an amount. Default: those of the data, at most 8, fewer where ' +
        'prices have more than 6 or the money buys more than a wallet holds. More than 9 can ' +
        'be set where the money buys little of the coin.',
    ),
  minAmount: z
    .number()
    .min(0)
    .default(0)
    .describe('Least amount of an order, in the base currency.'),
  minSize: z.number().min(0).default(0).describe('Least value of an order, in the quote currency.'),
};

const generatedSchema = syntheticSchema
  .pick({
    startPrice: true,
    volatility: true,
    volatilityOfVolatility: true,
    volatilityHalfLifeMs: true,
    reversionHalfLifeMs: true,
    tradesPerMinute: true,
    tradeValue: true,
  })
  .extend({
    seed: z
      .string()
      .optional()
      .describe(
        'Seed of the prices: the same seed gives the same. ' +
          "Default: the deployment's `seed`, `tradewind` where it has none.",
      ),
    interval: z.enum(INTERVALS).default('1min').describe('Length of a candle.'),
    priceScale: scale.default(2).describe('Decimal places of a price.'),
    amountScale: scale.default(5).describe('Decimal places of an amount.'),
  });
/** How prices are made up, every default resolved. */
export type GeneratedSettings = z.infer<typeof generatedSchema> & { readonly seed: string };

const latencySchema = z.strictObject({
  order: orderLatencySchema
    .default(0)
    .describe('Time until a request reaches the exchange; a number is milliseconds.'),
  answer: orderLatencySchema.default(0).describe('Time until its answer, or a push, is back.'),
  feed: feedLatencySchema
    .default(0)
    .describe('Time until market data reach the strategies; for candles only a constant.'),
});

const outagesSchema = z
  .strictObject({
    stated: z
      .array(
        z.strictObject({
          from: moment.describe('When it begins, UTC, such as 2021-05-01T14:30.'),
          lengthMs: z.int().positive().describe('How long it lasts, milliseconds.'),
        }),
      )
      .default([])
      .describe('Outages at given times.'),
    drawn: z
      .strictObject({
        everyHours: z
          .number()
          .min(0.01)
          .describe('Mean time from the end of one to the beginning of the next, hours.'),
        lengthMs: z.int().positive().describe('Mean length, milliseconds.'),
      })
      .optional()
      .describe('Outages at random times, drawn with the seed. Default: none.'),
    arriving: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        'Fraction of the requests sent in an outage that reach the exchange all the same, ' +
          'without an answer.',
      ),
  })
  .refine(({ stated, drawn }) => stated.length > 0 || drawn !== undefined, {
    error: 'some that are stated, or drawn, are wanted',
  });
export type OutageSettings = z.infer<typeof outagesSchema>;

const simulateSchema = z.strictObject({
  heartbeats: z
    .boolean()
    .default(false)
    .describe('Arm and refresh the timed cancels as live, in simulated time.'),
  rateLimits: z
    .boolean()
    .default(false)
    .describe("Keep to the exchange's request limits, as live: orders wait for their turn."),
  reconciliation: z
    .boolean()
    .default(false)
    .describe('Read orders and balances each `executor.reconcileMs` while orders live, as live.'),
  polls: z
    .boolean()
    .default(false)
    .describe(
      'Receive data that `data.feeds` does not take from the feed as polled live: with the ' +
        'answer to the next request, at the pace set in `data`.',
    ),
  outages: outagesSchema
    .optional()
    .describe(
      'Times in which the connection to the exchange is cut: nothing arrives, and requests ' +
        'get no answer. Default: none.',
    ),
});

/** By currency, as texts. */
const amounts = z.record(
  z.string(),
  z.string().regex(/^\d+(\.\d+)?$/, 'an amount as text, such as "10000"'),
);

/** The section `backtest:` of a deployment. */
export const backtestSchema = z.strictObject({
  from: moment
    .optional()
    .describe("First moment, UTC, such as 2021-05-01. Default: the data's first."),
  to: moment.optional().describe("End, not included, UTC. Default: after the data's last."),
  warmUpHours: z
    .number()
    .min(0)
    .default(0)
    .describe(
      'Hours of data before `from` that strategies receive to warm up: what they wish then ' +
        'is ignored. Candles before that are known anyway (data.candleHistory).',
    ),
  data: z
    .record(marketName, z.string().min(1))
    .default({})
    .describe('The dataset of each market, such as btc_usdt: binance.btc_usdt.1min.'),
  dataFolder: z
    .string()
    .min(1)
    .default('data')
    .describe(
      'The folder of all datasets, relative to where the command is called. A folder other ' +
        'than the usual one is refused if `data` names no dataset.',
    ),
  generate: z
    .record(marketName, generatedSchema)
    .default({})
    .describe('Markets whose candles are made up, in place of a dataset.'),
  markets: z
    .record(marketName, z.strictObject(rules))
    .default({})
    .describe('Rules of markets, if those that the data give are not enough.'),
  balances: amounts
    .refine((balances) => Object.keys(balances).length > 0, 'usdt: "10000", for one, is wanted')
    .describe('What the account starts with, by currency, as texts.'),
  lent: amounts
    .default({})
    .describe(
      'What the account is lent on top, as texts, to sell short or buy on margin. It costs ' +
        'nothing and counts in no figure.',
    ),
  fill: z
    .discriminatedUnion('model', [
      candlesModelSchema,
      tradesModelSchema,
      depthModelSchema,
      quotesModelSchema,
    ])
    .prefault({ model: 'candles' })
    .describe('When orders fill.'),
  fees: feesSchema.prefault({}).describe('Fees of the simulated exchange.'),
  latency: latencySchema.prefault({}).describe('Latencies: milliseconds, or how they are drawn.'),
  simulate: simulateSchema
    .prefault({})
    .describe('Which parts of the live machinery run too; by default none, for speed.'),
  closeAtEnd: z
    .enum(['none', 'close', 'open'])
    .default('none')
    .describe(
      'Sell, or buy back, what strategies hold when the data end: at the close of the last ' +
        'candle, or at its open, which is then the end of the run.',
    ),
  equityEvery: z
    .enum(INTERVALS)
    .optional()
    .describe(
      'How often the account is valued. Default: the length of the candles; for ticks a ' +
        'second, ten seconds or a minute by the length of the period. If that would be more ' +
        'than 1 100 000 times: an hour, or `report.returnPeriod` if that is shorter.',
    ),
  folder: z
    .string()
    .min(1)
    .default('runs')
    .describe('Where the folder of each run is made, relative to where the command is called.'),
  report: reportConfig
    .safeExtend({
      html: z.boolean().default(true).describe('Whether report.html is written.'),
      currency: z
        .string()
        .optional()
        .describe(
          'The currency that the account is valued in. Default: the quote currency of the ' +
            'first market whose quote currency is not the base of another.',
        ),
    })
    .prefault({})
    .describe('The report, and the conventions of its figures.'),
});
type Section = z.infer<typeof backtestSchema>;
/** The section, every default resolved. */
export type BacktestConfig = Omit<Section, 'generate'> & {
  readonly generate: Readonly<Record<string, GeneratedSettings>>;
};
