import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../../src/app/faults/index.ts';
import { faultyNetwork } from './fixture.ts';

const isHit = (got: readonly string[]): boolean => got[0]?.includes('1009') ?? false;

describe('FaultBoard', () => {
  it('hits so many as told, one by default', () => {
    const { ask, inject } = faultyNetwork();
    inject({ kind: 'maintenance', count: 2 });
    expect([ask(), ask(), ask()].map(isHit)).toEqual([true, true, false]);
    inject({ kind: 'maintenance' });
    expect([ask(), ask()].map(isHit)).toEqual([true, false]);
  });

  it('hits all for as long as told', () => {
    const { ask, inject, clock } = faultyNetwork();
    inject({ kind: 'maintenance', forMs: 100 });
    expect([ask(), ask()].map(isHit)).toEqual([true, true]);
    clock.advanceBy(99);
    expect(isHit(ask())).toBe(true);
    clock.advanceBy(1);
    expect(isHit(ask())).toBe(false);
  });

  it('is over by count or by time, whichever comes first', () => {
    const { ask, inject, clock } = faultyNetwork();
    inject({ kind: 'maintenance', forMs: 100, count: 1 });
    expect([ask(), ask()].map(isHit)).toEqual([true, false]);
    inject({ kind: 'maintenance', forMs: 100, count: 1 });
    clock.advanceBy(100);
    expect(isHit(ask())).toBe(false);
  });

  it('hits one operation where one is named', () => {
    const { ask, inject } = faultyNetwork();
    inject({ kind: 'maintenance', operation: 'order' });
    expect(isHit(ask('/api/getOrder?id=1'))).toBe(false);
    expect(isHit(ask('/data/v1/ticker'))).toBe(false);
    expect(isHit(ask('/api/order?x=/api/y'))).toBe(true);
  });

  it('hits each with the chance given, the same ones for the same seed', () => {
    const hitsOf = (seed: string): boolean[] => {
      const { ask, inject } = faultyNetwork({ seed });
      inject({ kind: 'maintenance', probability: 0.3, count: 1_000_000 });
      return Array.from({ length: 2_000 }, () => isHit(ask()));
    };
    const hits = hitsOf('a');
    expect(hits).toEqual(hitsOf('a'));
    expect(hits).not.toEqual(hitsOf('b'));
    expect(hits.filter(Boolean).length / hits.length).toBeCloseTo(0.3, 1);
  });

  it('hits with the oldest fault, and tells what is left of each', () => {
    const { ask, inject, network } = faultyNetwork();
    inject({ kind: 'busy', count: 2 });
    inject({ kind: 'maintenance', forMs: 50 });
    expect(ask()[0]).toContain('服务端忙碌');
    expect(network.faults.list()).toMatchObject([
      { id: 1, hits: 1, left: 1, untilMs: undefined },
      { id: 2, hits: 0, left: undefined, untilMs: 1_050 },
    ]);
  });

  it('ends a fault, or all of them, when asked', () => {
    const { ask, inject, network } = faultyNetwork();
    const { id } = inject({ kind: 'maintenance' });
    inject({ kind: 'busy' });
    inject({ kind: 'busy' });
    expect([network.faults.clear(id), network.faults.clear(id)]).toEqual([1, 0]);
    expect(network.faults.clear()).toBe(2);
    expect(ask()[0]).toBe('200 {"id":1}');
  });

  it('never hits more often than its count', () => {
    const faults = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 });
    const property = fc.property(faults, fc.nat(20), (counts, requests) => {
      const { ask, inject } = faultyNetwork();
      for (const count of counts) inject({ kind: 'maintenance', count });
      const hits = Array.from({ length: requests }, () => isHit(ask())).filter(Boolean).length;
      const wanted = counts.reduce((sum, count) => sum + count, 0);
      expect(hits).toBe(Math.min(requests, wanted));
    });
    fc.assert(property, { seed: 3 });
  });
});

describe('faultSchema', () => {
  it('refuses what does not belong to a kind', () => {
    expect(faultSchema.safeParse({ kind: 'busy', delayMs: 5 }).success).toBe(false);
    expect(faultSchema.safeParse({ kind: 'answerDelayed' }).success).toBe(false);
    expect(faultSchema.safeParse({ kind: 'pushesFrozen' }).success).toBe(false);
    expect(faultSchema.safeParse({ kind: 'busy', probability: 0 }).success).toBe(false);
  });
});
