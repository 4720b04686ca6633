import { formatDuration } from '../../kernel/index.ts';
import { companionOf } from '../companions.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';
import { ofOpening } from './each.ts';

/**
 * No positions are opened at an exchange that answers badly: after too many requests without a
 * clear answer only orders that shrink a position leave, until enough of those requests are out of
 * the window. Reads of market data do not count. A reset by a person starts the count anew.
 */
export function apiErrors(view: RiskView): Check {
  const { apiErrorsPerWindowMax: most } = view.config;
  const check = { code: 'apiErrors', scope: 'account' } as const;
  if (most === undefined) return check;
  const windowMs = companionOf(view.config, 'apiErrorWindowMs');
  /** When the newest requests failed; one more than is allowed are kept. */
  const newestMs: number[] = [];
  view.state.onReset(() => newestMs.splice(0));
  view.bus.listen('requestFailure', ({ time }) => {
    newestMs.push(time);
    if (newestMs.length > most + 1) newestMs.shift();
  });
  const limit = `at most ${most} in ${formatDuration(windowMs)}`;
  const observed = `${most + 1} or more requests without a clear answer`;
  const objectionTo = ({ nowMs }: Review): Objection | undefined => {
    if (newestMs.length <= most || newestMs[0]! + windowMs <= nowMs) return undefined;
    return { limit, observed };
  };
  return { ...check, ask: ofOpening(objectionTo) };
}
