import { dateMs } from '../../kernel/index.ts';
import { blackoutAt } from '../blackouts.ts';
import { openingOf } from '../opening.ts';
import type { Check, Objection, Review } from '../review.ts';

/** In the daily windows of the settings, only orders that shrink the market's position leave. */
export const blackout: Check = {
  code: 'blackout',
  scope: 'market',
  ask: objectionTo,
};

function objectionTo(review: Review): Objection | undefined {
  const { rules, view } = review;
  const { blackouts } = rules.limits;
  const window = blackouts.length === 0 ? undefined : blackoutAt(blackouts, dateMs(view.clock));
  if (window === undefined) return undefined;
  // The text stays the same for the whole window, or each minute's refusal would be news.
  const observed = openingOf(review);
  if (observed === undefined) return undefined;
  const days = window.days === undefined ? '' : ` (${window.days.join(', ')})`;
  return { limit: `nothing that opens from ${window.from} to ${window.to} UTC${days}`, observed };
}
