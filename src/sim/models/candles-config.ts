import { z } from 'zod';

/** Where an order made at the close of a candle may trade. */
export const CANDLE_MOMENTS = ['thisClose', 'nextOpen', 'heardOpen', 'heardPath'] as const;
/** The same, where prices within candles are heard. */
export const CLOSE_MOMENTS = ['thisClose', 'nextOpen'] as const;
/** What a candle must do to the price of a resting order to fill it. */
export const LIMIT_RULES = ['penetration', 'touch'] as const;
/** Where a resting order fills if a candle opens beyond its price. */
export const GAP_RULES = ['own', 'open', 'walked'] as const;
/** Rules that tell the order in which a candle reached its high and low. */
export const CANDLE_PATHS = [
  'nearestFirst',
  'openHighLowClose',
  'openLowHighClose',
  'adverseFirst',
  'byDirection',
] as const;
/** Prices seen on each leg of a candle unless a deployment sets `pathSteps`. */
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
    .describe('Basis points that it pays beyond that price, on top of the steps.'),
});
export type Slippage = z.infer<typeof slippageSchema>;

const settingsSchema = z.strictObject({
  model: z.literal('candles').describe('From candles.'),
  at: z
    .enum(CANDLE_MOMENTS)
    .default('thisClose')
    .describe(
      'Where an order made at the close of a candle may trade. thisClose: at that close; ' +
        'nextOpen: at the open of the next candle; heardOpen: as nextOpen, and strategies that ' +
        'look at the book also see the open and may trade at it; heardPath: as heardOpen, and ' +
        'they also see prices within each candle.',
    ),
  limits: z
    .enum(LIMIT_RULES)
    .default('penetration')
    .describe(
      'penetration: a resting order fills when the price goes beyond its own; touch: when the ' +
        'price reaches its own.',
    ),
  gaps: z
    .enum(GAP_RULES)
    .default('own')
    .describe(
      'Price at which a resting order fills if a candle opens beyond it. own: its own price; ' +
        'open: that open, which is better for it; walked: its own price, and stops fill at ' +
        'theirs too (only with at: heardPath and atClose: thisClose).',
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
      'Which of high and low a candle reached first. nearestFirst: the one nearer to its open, ' +
        'the high if both are as near; adverseFirst: the low if the position just after its ' +
        'open is long, the high if it is short, else the nearer one; byDirection: the low if ' +
        'it closed at its open or above, else the high.',
    ),
  pathSteps: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      'For heardPath only: number of prices seen on each leg, from the open to whichever of ' +
        'high and low came first, from there to the other one, and on to the close. With at ' +
        'least as many as the longest leg has price steps, every price is seen. ' +
        `Default: ${DEFAULT_PATH_STEPS}.`,
    ),
  pathScale: z
    .int()
    .min(0)
    .max(12)
    .optional()
    .describe(
      'For heardPath only: decimal places of the prices seen on each leg, if fewer than the ' +
        "market's. Default: the market's own.",
    ),
  atClose: z
    .enum(CLOSE_MOMENTS)
    .optional()
    .describe(
      'For heardPath only: where an order made at the close of a candle trades, at that close ' +
        'or at the next open. Default: nextOpen.',
    ),
  slippage: slippageSchema.prefault({}).describe('What taker orders pay on top.'),
});

/** How orders fill from candles alone. */
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
/** Settings of the candles model, every default resolved except those for `heardPath`. */
export type CandlesModelSettings = z.infer<typeof candlesModelSchema>;
