import { dateMs } from '../../kernel/index.ts';
import { blackoutAt } from '../blackouts.ts';
import { openingOf } from '../opening.ts';
import type { Check, Objection, Review } from '../review.ts';

/** In windows of the day that settings name, only what shrinks the market's position leaves. */
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
  // The same for as long as it lasts, or each minute would be news.
  const observed = openingOf(review);
  if (observed === undefined) return undefined;
  const days = window.days === undefined ? '' : ` (${window.days.join(', ')})`;
  return { limit: `nothing that opens from ${window.from} to ${window.to} UTC${days}`, observed };
}
