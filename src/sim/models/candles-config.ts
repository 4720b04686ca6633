import { z } from 'zod';

/** When an order made at the close of a candle meets the market. */
export const CANDLE_MOMENTS = ['thisClose', 'nextOpen', 'heardOpen', 'heardPath'] as const;
/** The same of an order made at a close where prices within candles are heard. */
export const CLOSE_MOMENTS = ['thisClose', 'nextOpen'] as const;
/** What a resting order needs of a candle to fill. */
export const LIMIT_RULES = ['penetration', 'touch'] as const;
/** What a resting order gets where a candle opens beyond its price. */
export const GAP_RULES = ['own', 'open', 'walked'] as const;
/** The order in which a candle saw its prices. */
export const CANDLE_PATHS = [
  'nearestFirst',
  'openHighLowClose',
  'openLowHighClose',
  'adverseFirst',
  'byDirection',
] as const;
/** Prices seen on each leg of a candle where a deployment sets none. */
export const DEFAULT_PATH_STEPS = 10;

export const slippageSchema = z.strictObject({
  steps: z
    .int()
    .min(0)
    .default(0)
    .describe('Price steps that a taker order pays beyond the price it meets.'),
  basisPoints: z
    .number()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('Basis points that it pays beyond that price; both add up.'),
});
export type Slippage = z.infer<typeof slippageSchema>;

const settingsSchema = z.strictObject({
  model: z.literal('candles').describe('From candles.'),
  at: z
    .enum(CANDLE_MOMENTS)
    .default('thisClose')
    .describe(
      'thisClose: an order made when a candle closes may trade at that close; nextOpen: at ' +
        'the open of the next candle; heardOpen: the same, and strategies that look at the ' +
        'book also see the open, at which their orders then may trade; heardPath: the same, ' +
        'and they also see prices within each candle.',
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
      'If a candle opens beyond a resting order, the order fills. own: at its own price; ' +
        'open: at that open, which is better for it; walked: at its own price, and so do ' +
        'stops (for heardPath with atClose: thisClose alone).',
    ),
  volumeCap: z
    .number()
    .positive()
    .max(1)
    .nullable()
    .default(0.1)
    .describe("Fraction of a candle's volume that own orders may trade; null: no such limit."),
  path: z
    .enum(CANDLE_PATHS)
    .default('nearestFirst')
    .describe(
      'Which of high and low a candle reached first. nearestFirst: whichever is nearer to ' +
        'its open, else the high; adverseFirst: the low if what is held behind its open is ' +
        'long, the high if it is short, else the nearer one; byDirection: the low if it ' +
        'closed at its open or above, else the high.',
    ),
  pathSteps: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      'For heardPath alone: number of prices seen on each leg, from the open to whichever of ' +
        'high and low came first, from there to the other one, and on to the close. As many as ' +
        'the longest leg has price steps, or more: every price is seen. ' +
        `Default: ${DEFAULT_PATH_STEPS}.`,
    ),
  pathScale: z
    .int()
    .min(0)
    .max(12)
    .optional()
    .describe(
      'For heardPath alone: decimal places of the prices seen on each leg, where the market has ' +
        "more of them. Default: the market's own.",
    ),
  atClose: z
    .enum(CLOSE_MOMENTS)
    .optional()
    .describe(
      'For heardPath alone: where an order trades that is made at the close of a candle, at that ' +
        'close or at the next open. Default: nextOpen.',
    ),
  slippage: slippageSchema.prefault({}).describe('What taker orders pay on top.'),
});

/** How orders fill where candles are all that is known. */
export const candlesModelSchema = settingsSchema.superRefine((settings, issues) => {
  const { at, atClose, gaps } = settings;
  if (gaps === 'walked' && atClose !== 'thisClose') {
    const message = 'it is walked, at: heardPath with atClose: thisClose is wanted with that';
    issues.addIssue({ code: 'custom', path: ['gaps'], message });
  }
  if (at === 'heardPath') return;
  const message = `it has no effect with at: ${at}, at: heardPath is wanted with it`;
  for (const key of ['pathSteps', 'pathScale', 'atClose'] as const) {
    if (settings[key] !== undefined) issues.addIssue({ code: 'custom', path: [key], message });
  }
});
/** Settings of the candles model, every default resolved but those of a path. */
export type CandlesModelSettings = z.infer<typeof candlesModelSchema>;
