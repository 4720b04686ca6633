import { z } from 'zod';

const milliseconds = z.number().int().positive();
const share = z.number().min(0).max(1);

const budgetSchema = z.strictObject({
  marginMs: milliseconds
    .default(5)
    .describe(
      'Added to the length of each rate window: clock granularity and drift, milliseconds.',
    ),
  reserveForCancels: share
    .default(0.1)
    .describe('Share of the rate budget that only heartbeats and cancels may use.'),
  questionsShare: share
    .default(0.1)
    .describe('Share of the rate budget kept for reading orders and balances, and its limit.'),
  limitedBackOffMs: milliseconds
    .default(1_000)
    .describe('Silence after the exchange called our pace too fast, milliseconds.'),
  lockedBackOffMs: milliseconds
    .default(60_000)
    .describe('Silence after the exchange said that key or address are locked, milliseconds.'),
});

const heartbeatSchema = z.strictObject({
  refreshMs: milliseconds
    .default(15_000)
    .describe('Age of a confirmed timed cancel at which it is called again, milliseconds.'),
  retryMs: milliseconds
    .default(1_000)
    .describe('Pause after a timed cancel without a clear answer, milliseconds.'),
  safetyMarginMs: milliseconds
    .default(5_000)
    .describe('How long before the minute is over a timed cancel counts as lapsed, milliseconds.'),
  signOfLifeMs: milliseconds
    .default(10_000)
    .describe('Oldest sign of life of the engine with which a timed cancel is refreshed.'),
  budgetShare: share
    .default(0.34)
    .describe('Share of the rate budget that heartbeats may take: limits how many markets trade.'),
});

/** Settings of the executor. `{}` is a good choice. */
export const executionConfigSchema = z.strictObject({
  priceTolerance: z
    .number()
    .min(0)
    .max(0.5)
    .default(0)
    .describe('How far a resting order may be from its quote, as a fraction of the price.'),
  amountTolerance: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('How far its open amount may be from the quote, as a fraction of the amount.'),
  batch: z
    .boolean()
    .default(false)
    .describe('Send several plain limit quotes of one market and side as one request.'),
  targetRetryMs: milliseconds
    .default(1_000)
    .describe('Pause between two orders towards the same target position, milliseconds.'),
  postOnlyRetryMs: milliseconds
    .default(500)
    .describe('Pause before a quote that the exchange sent back is tried again, milliseconds.'),
  retriesMax: z
    .number()
    .int()
    .min(0)
    .default(5)
    .describe('How often a quote is tried again before it waits for a new wish.'),
  refusalRetryMs: milliseconds
    .default(1_000)
    .describe('Least pause after risk refused an order; doubles up to a minute, milliseconds.'),
  readLagMs: milliseconds
    .default(2_000)
    .describe('How long reads may lag behind the truth, and the spacing of lookups, milliseconds.'),
  absentAfterMs: milliseconds
    .default(10_000)
    .describe('Least time before an order that no lookup finds counts as never placed.'),
  answerTimeoutMs: milliseconds
    .default(15_000)
    .describe('Time after which a request without any answer counts as unknown, milliseconds.'),
  reconcileMs: milliseconds
    .default(60_000)
    .describe('Time between two full readings of orders and balances while orders live.'),
  foreignOrders: z
    .enum(['ignore', 'adopt', 'cancel'])
    .default('ignore')
    .describe('What to do with open orders that are not ours: ignore, adopt or cancel.'),
  restoredGraceMs: z
    .number()
    .int()
    .min(0)
    .default(60_000)
    .describe('How long an order of an earlier run may rest before its strategy wishes again.'),
  stopTimeoutMs: milliseconds
    .default(30_000)
    .describe('Longest time that a stop tries to cancel and verify, milliseconds.'),
  budget: budgetSchema.prefault({}).describe('How the rate limits are kept.'),
  heartbeat: heartbeatSchema.prefault({}).describe('The timed cancel that guards every market.'),
});

export type ExecutionConfig = z.infer<typeof executionConfigSchema>;
export type BudgetConfig = ExecutionConfig['budget'];
export type HeartbeatConfig = ExecutionConfig['heartbeat'];
