import { z } from 'zod';

/** When an order made at the close of a candle meets the market. */
export const CANDLE_MOMENTS = ['thisClose', 'nextOpen', 'heardOpen', 'heardPath'] as const;
/** What a resting order needs of a candle to fill. */
export const LIMIT_RULES = ['penetration', 'touch'] as const;
/** What a resting order gets where a candle opens beyond its price. */
export const GAP_RULES = ['own', 'open'] as const;
/** The order in which a candle saw its prices. */
export const CANDLE_PATHS = ['nearestFirst', 'openHighLowClose', 'openLowHighClose'] as const;

export const slippageSchema = z.strictObject({
  steps: z
    .int()
    .min(0)
    .default(0)
    .describe('Steps of the price that an order which takes pays beyond the price it meets.'),
  basisPoints: z
    .number()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('Hundredths of a percent that it pays beyond that price; both add up.'),
});
export type Slippage = z.infer<typeof slippageSchema>;

/** How orders fill where candles are all that is known. */
export const candlesModelSchema = z.strictObject({
  model: z.literal('candles').describe('From candles.'),
  at: z
    .enum(CANDLE_MOMENTS)
    .default('thisClose')
    .describe(
      'thisClose: an order made when a candle closes may trade at that close; nextOpen: it reaches ' +
        'the exchange when the next candle opens, and may trade at its open; heardOpen: the same, and ' +
        'strategies that look at the book are told of the open: what they wish then may trade at it; ' +
        'heardPath: the same, and they are told of prices within each candle too.',
    ),
  limits: z
    .enum(LIMIT_RULES)
    .default('penetration')
    .describe(
      'penetration: a resting order fills when the price went beyond its own; touch: when it ' +
        'reached it.',
    ),
  gaps: z
    .enum(GAP_RULES)
    .default('own')
    .describe(
      'own: a resting order that a candle opens beyond fills at its own price; open: at that open, ' +
        'which is better for it.',
    ),
  volumeCap: z
    .number()
    .positive()
    .max(1)
    .nullable()
    .default(0.1)
    .describe("Part of a candle's volume that own orders may trade; null: no such limit."),
  path: z
    .enum(CANDLE_PATHS)
    .default('nearestFirst')
    .describe(
      'Which of high and low a candle saw first; nearestFirst: the one that is nearer to its open, ' +
        'high where both are as near.',
    ),
  pathSteps: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe(
      'Of heardPath: how many prices are told on each way, from the open to the one of high and ' +
        'low that came first, from there to the other one, and on to the close.',
    ),
  slippage: slippageSchema.prefault({}).describe('What orders that take pay on top.'),
});
/** Settings of the candles model, every default resolved. */
export type CandlesModelSettings = z.infer<typeof candlesModelSchema>;
