import { formatDuration } from '../../kernel/index.ts';
import { companionOf } from '../companions.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';
import { ofOpening } from './each.ts';

/**
 * An exchange that answers badly is none to open positions at: after too many requests without a clear
 * answer only what shrinks a position leaves, until enough of them are out of the window. Reads of
 * market data are none of them. A reset by a person starts the count anew.
 */
export function apiErrors(view: RiskView): Check {
  const { apiErrorsPerWindowMax: most } = view.config;
  const check = { code: 'apiErrors', scope: 'account' } as const;
  if (most === undefined) return check;
  const windowMs = companionOf(view.config, 'apiErrorWindowMs');
  /** When the newest failed, one more than may. */
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
