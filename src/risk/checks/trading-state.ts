import type { Check } from '../review.ts';

/** Nothing new leaves while trading is halted. */
export const tradingState: Check = {
  code: 'tradingState',
  ask: ({ view: { state } }) =>
    state.state === 'HALTED'
      ? {
          code: 'tradingState',
          limit: 'ACTIVE or REDUCING',
          observed: `HALTED: ${state.reason}`,
          scope: 'deployment',
        }
      : undefined,
};
