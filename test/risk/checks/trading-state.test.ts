import { describe, expect, it } from 'vitest';
import { tradingState } from '../../../src/risk/checks/trading-state.ts';
import { codeOf, makeQuotes, makeRisk, reviewIntent, reviewOrder } from '../fixture.ts';

describe('tradingState', () => {
  it('refuses wishes and orders when halted, and only then', () => {
    const { view, state } = makeRisk();
    const answers = () => [
      codeOf(tradingState, reviewIntent(view, makeQuotes([99], []))),
      codeOf(tradingState, reviewOrder(view)),
    ];
    expect(answers()).toEqual([undefined, undefined]);
    state.set('REDUCING', 'test');
    expect(answers()).toEqual([undefined, undefined]);
    state.set('HALTED', 'loss');
    expect(answers()).toEqual(['tradingState', 'tradingState']);
    expect(tradingState.ask?.(reviewOrder(view))?.observed).toBe('HALTED: loss');
  });
});
