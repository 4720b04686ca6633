import type { Check } from '../review.ts';

/** Nothing new leaves while trading is halted. */
export const tradingState: Check = {
  code: 'tradingState',
  scope: 'deployment',
  ask: ({ view: { state } }) =>
    state.state === 'HALTED'
      ? { limit: 'ACTIVE or REDUCING', observed: `HALTED: ${state.reason}` }
      : undefined,
};
