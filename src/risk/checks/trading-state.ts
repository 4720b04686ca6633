import type { Check } from '../review.ts';
import { askBoth } from './each.ts';

/** Nothing new leaves while trading is halted. */
export const tradingState: Check = {
  code: 'tradingState',
  ...askBoth(({ view: { state } }) =>
    state.state === 'HALTED'
      ? {
          code: 'tradingState',
          limit: 'ACTIVE or REDUCING',
          observed: `HALTED: ${state.reason}`,
          scope: 'deployment',
        }
      : undefined,
  ),
};
