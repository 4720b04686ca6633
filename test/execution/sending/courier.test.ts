import { describe, expect, it } from 'vitest';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import type { Fate } from '../exchange-model.ts';
import { createBench } from '../fixture.ts';

const START_MS = 1_700_000_000_000;

/** A single request with that fate, half a minute after it left. */
function createAsked(fate: Fate, config: Record<string, unknown> = {}) {
  const bench = createBench({ config, lively: false, startMs: START_MS });
  bench.model.fate = () => fate;
  const outcomes: string[] = [];
  bench.executor.readAccount().subscribe({
    next: () => outcomes.push('answer'),
    error: ({ kind }: ExchangeFailure) => outcomes.push(kind),
  });
  bench.clock.advanceBy(30_000);
  return { ...bench, outcomes, held: bench.budget.usage().lastSecond };
}

const unknown = (code?: number) =>
  new ExchangeFailure('unknown', 'Cannot tell', code === undefined ? {} : { code });

describe('Courier', () => {
  it('tells the bus once of each request that ends without a clear answer', () => {
    const failures = (fate: Fate) =>
      createAsked(fate)
        .ofKind('requestFailure')
        .map(({ operation, outcome, reason }) => [operation, outcome, reason]);
    const told = (outcome: string, reason: string) => [['queryAccount', outcome, reason]];
    expect([
      failures({ loss: 'dead' }),
      failures({ backMs: 5_000, refusal: unknown(CODES.internal) }),
      failures({ refusal: new ExchangeFailure('limited', 'Cannot ask: too fast') }),
      failures({ refusal: new ExchangeFailure('rejected', 'Cannot ask: no permission') }),
      failures({}),
    ]).toEqual([
      told('unknown', 'no answer in time'),
      told('unknown', 'Cannot tell'),
      told('limited', 'too fast'),
      [],
      [],
    ]);
  });

  it('leaves the place to a request that it gives up', () => {
    const { outcomes, held } = createAsked({ loss: 'dead' });
    expect([outcomes, held]).toEqual([['unknown'], 1]);
  });

  it('leaves the place to a request that the transport gives up', () => {
    const { outcomes, held } = createAsked({ backMs: 5_000, refusal: unknown() });
    expect([outcomes, held]).toEqual([['unknown'], 1]);
  });

  it('frees the place of one whose answer does not tell the outcome', () => {
    const { outcomes, held } = createAsked({ backMs: 5_000, refusal: unknown(CODES.internal) });
    expect([outcomes, held]).toEqual([['unknown'], 0]);
  });

  it('takes a late answer for proof that the way is open', () => {
    const { outcomes, held, clock, budget } = createAsked({ backMs: 40_000 });
    expect([outcomes, held]).toEqual([['unknown'], 1]);
    // Out for 40 s, and as long again.
    clock.advanceTo(START_MS + 80_009);
    expect(budget.usage().lastSecond).toBe(1);
    clock.advanceBy(1);
    budget.usage();
    clock.advanceBy(1_005);
    expect(budget.usage().lastSecond).toBe(0);
  });
});
