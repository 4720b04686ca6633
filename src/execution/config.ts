import { z } from 'zod';
import { TIMED_CANCEL_MS } from '../exchange/index.ts';

const milliseconds = z.number().int().positive();
const share = z.number().min(0).max(1);

/** Largest share of the rate budget that may be reserved from new orders. */
const KEPT_SHARE_MAX = 0.9;
/** Longest time that an answer takes: a venue's client gives up sooner. */
const ANSWER_TIMEOUT_MS = 15_000;

const budgetFields = z.strictObject({
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
    .describe(
      'Share of the rate budget that is kept for reading orders and balances; reads never ' +
        'use more.',
    ),
  minuteShare: share
    .min(0.01)
    .default(1)
    .describe(
      "Share of the address's requests a minute that this process may send. If several " +
        'share one address, give each its part.',
    ),
  limitedBackOffMs: milliseconds
    .default(1_000)
    .describe('Pause after the exchange said that requests come too fast, milliseconds.'),
  lockedBackOffMs: milliseconds
    .default(60_000)
    .describe(
      'Pause after the exchange said that the key or the address is locked, milliseconds. A stop ' +
        'asks once more before the pause is over.',
    ),
});

const budgetSchema = budgetFields.superRefine((budget, issues) => {
  const { reserveForCancels, questionsShare } = budget;
  // Sums of fractions have rounding errors.
  if (reserveForCancels + questionsShare <= KEPT_SHARE_MAX + 1e-9) return;
  const larger = reserveForCancels > questionsShare ? 'reserveForCancels' : 'questionsShare';
  const both = `reserveForCancels ${reserveForCancels} and questionsShare ${questionsShare}`;
  const message = `${both} of at most ${KEPT_SHARE_MAX} together are wanted: the rest is for new orders`;
  issues.addIssue({ code: 'custom', path: [larger], message });
});

const heartbeatSchema = z.strictObject({
  refreshMs: milliseconds
    .min(1_000)
    .default(15_000)
    .describe('Age of a confirmed timed cancel at which it is called again, milliseconds.'),
  retryMs: milliseconds
    .min(100)
    .default(1_000)
    .describe(
      'Pause after a timed cancel whose answer was unclear or too late to count, milliseconds.',
    ),
  safetyMarginMs: milliseconds
    .default(5_000)
    .describe('How long before the minute is over a timed cancel counts as lapsed, milliseconds.'),
  signOfLifeMs: milliseconds
    .default(10_000)
    .describe("Age of the engine's last sign of life beyond which no timed cancel is refreshed."),
  budgetShare: share
    .default(0.34)
    .describe(
      'Share of the requests a second for timed cancels. It limits how many markets may trade at ' +
        'once: as many as it can refresh each `refreshMs`, and exits in as many again.',
    ),
});

const executionFields = z.strictObject({
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
    .describe(
      'How far the open amount of a resting order may be from its quote, as a fraction of the ' +
        'amount.',
    ),
  orderLifetimeMinMs: z
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe(
      'Least time that the order of a quote rests before a moved quote replaces it, ' +
        'milliseconds; 0: none. An order that is no longer wished, is wished smaller, or may ' +
        'not stay is cancelled at once.',
    ),
  batch: z
    .boolean()
    .default(false)
    .describe(
      'Send several plain limit quotes of one market and side as one request. Applies to ' +
        '`quotes(..., { postOnly: false })` alone: a batch cannot carry PostOnly orders.',
    ),
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
    .describe(
      'Least pause after risk refused an order, milliseconds; it doubles up to a minute. A ' +
        'target that shrinks a position pauses at most this long, or `targetRetryMs` if that ' +
        'is longer.',
    ),
  readLagMs: milliseconds
    .default(2_000)
    .describe(
      'How long reads may lag behind the true state, and the time between lookups, ' +
        'milliseconds.',
    ),
  absentAfterMs: milliseconds
    .default(20_000)
    .describe(
      'Least time before an accepted order that lookups no longer find counts as over, ' +
        'milliseconds. An order that the exchange may never have received counts as never ' +
        'placed two minutes after its request was given up, whatever is set here.',
    ),
  answerTimeoutMs: milliseconds
    .default(ANSWER_TIMEOUT_MS)
    .describe(
      'Time after which a request without any answer counts as unknown, milliseconds. ' +
        '`venue.requestTimeoutMs` ends it sooner.',
    ),
  reconcileMs: milliseconds
    .default(60_000)
    .describe('Time between two full readings of orders and balances while orders live.'),
  foreignOrders: z
    .enum(['ignore', 'adopt', 'cancel'])
    .default('ignore')
    .describe(
      'What to do with open orders that the journal does not know: leave them alone, take ' +
        'them over or cancel them. Two bots that share a key and cancel take away each ' +
        "other's orders.",
    ),
  restoredGraceMs: z
    .number()
    .int()
    .min(0)
    .default(60_000)
    .describe('How long an order of an earlier run may rest until its strategy wishes again.'),
  stopTimeoutMs: milliseconds
    .default(30_000)
    .describe(
      'Longest time that a stop tries to cancel and verify, milliseconds. Making sure of an ' +
        'order whose answer was lost takes two minutes and some seconds.',
    ),
  budget: budgetSchema.prefault({}).describe('How the rate limits are kept.'),
  heartbeat: heartbeatSchema.prefault({}).describe('The timed cancel that guards every market.'),
});

/** Settings of the executor. `{}` is a good choice. */
export const executionConfigSchema = executionFields.superRefine((config, issues) => {
  const { refreshMs, retryMs, safetyMarginMs } = config.heartbeat;
  const answerMs = Math.min(config.answerTimeoutMs, ANSWER_TIMEOUT_MS);
  const sum = refreshMs + retryMs + safetyMarginMs + answerMs;
  if (sum <= TIMED_CANCEL_MS) return;
  const parts = `refreshMs ${refreshMs} + retryMs ${retryMs} + safetyMarginMs ${safetyMarginMs}`;
  const message =
    `less is wanted: ${parts} + ${answerMs} for an answer are ${sum}, and the exchange cancels ` +
    `${TIMED_CANCEL_MS} ms after a call, so that one lost call would be a lapse`;
  issues.addIssue({ code: 'custom', path: ['heartbeat', worstOf(config.heartbeat)], message });
});

/** The setting that exceeds its default the most. */
function worstOf(times: HeartbeatConfig): keyof HeartbeatConfig {
  const usual = heartbeatSchema.parse({});
  const beyond = (key: keyof HeartbeatConfig) => times[key] / usual[key];
  const keys = ['refreshMs', 'retryMs', 'safetyMarginMs'] as const;
  return keys.reduce((worst, key) => (beyond(key) > beyond(worst) ? key : worst));
}

export type ExecutionConfig = z.infer<typeof executionConfigSchema>;
export type BudgetConfig = ExecutionConfig['budget'];
export type HeartbeatConfig = ExecutionConfig['heartbeat'];
