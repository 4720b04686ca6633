import { describe, expect, it } from 'vitest';
import { checksOf } from '../../src/risk/checks/index.ts';
import { FreeBalances } from '../../src/risk/free-balances.ts';
import { explain, REFUSAL_CODES } from '../../src/risk/index.ts';
import { LossWatch } from '../../src/risk/loss-watch.ts';
import { OrderPace } from '../../src/risk/order-pace.ts';
import { makeRisk } from './fixture.ts';

const refusal = { limit: 'at most 1', observed: '2', scope: 'order' } as const;

describe('explain', () => {
  it('has one line of its own for every code', () => {
    const lines = REFUSAL_CODES.map((code) => explain({ code, ...refusal }));
    expect(new Set(lines).size).toBe(REFUSAL_CODES.length);
    for (const line of lines)
      expect(line).toMatch(/^[A-Z][^\n]+ \(order: 2; limit: at most 1\)\.$/);
  });

  it('tells a code that is not its own as it is', () => {
    expect(explain({ code: 'toString', ...refusal })).toContain('toString');
  });
});

describe('checksOf', () => {
  it('asks each check once, in the order of the codes', () => {
    const { view } = makeRisk();
    const [balances, losses] = [new FreeBalances(view), new LossWatch(view)];
    const parts = { balances, losses, pace: new OrderPace(view.config) };
    const codes = checksOf(view, parts).map(({ code }) => code);
    expect(['unknownMarket', ...codes]).toEqual(REFUSAL_CODES);
  });
});
