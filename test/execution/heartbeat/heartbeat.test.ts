import { describe, expect, it } from 'vitest';
import { CONTRACT_LIMITS } from '../../../src/exchange/index.ts';
import { executionConfigSchema, Heartbeat } from '../../../src/execution/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

function createHeartbeat(config: Record<string, unknown> = {}) {
  const clock = new VirtualClock(1_700_000_000_000);
  const parsed = executionConfigSchema.parse({ heartbeat: config }).heartbeat;
  const heartbeat = new Heartbeat({ clock, limits: CONTRACT_LIMITS, config: parsed });
  heartbeat.signOfLife();
  return { clock, heartbeat, startMs: clock.now() };
}

describe('Heartbeat', () => {
  it('is due at once in a market that is wanted, and never in another', () => {
    const { heartbeat } = createHeartbeat();
    expect(heartbeat.due()).toEqual([]);
    heartbeat.need('a_b', 'called');
    expect(heartbeat.due()).toEqual(['a_b']);
    heartbeat.calling('a_b');
    expect(heartbeat.due()).toEqual([]);
  });

  it('keeps the place of a market whose orders are on their way out, and does not call for it', () => {
    const { clock, heartbeat } = createHeartbeat({ budgetShare: 0.001 });
    expect(heartbeat.marketsMax).toBe(1);
    heartbeat.need('a_b', 'called');
    heartbeat.confirm('a_b', clock.now());
    heartbeat.need('a_b', 'place');
    clock.advanceBy(20_000);
    heartbeat.signOfLife();
    expect(heartbeat.due()).toEqual([]);
    expect(heartbeat.admits('c_d')).toBe(false);
    heartbeat.need('a_b', 'called');
    expect(heartbeat.due()).toEqual(['a_b']);
  });

  it('counts from the time the call left, not from its answer', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    heartbeat.calling('a_b');
    clock.advanceBy(4_000);
    heartbeat.confirm('a_b', startMs);
    expect(heartbeat.ageMs('a_b')).toBe(4_000);
    clock.advanceTo(startMs + 54_999);
    expect(heartbeat.confirmed('a_b')).toBe(true);
    clock.advanceBy(1);
    expect(heartbeat.confirmed('a_b')).toBe(false);
  });

  it('is due again when the confirmation is 15 s old', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    heartbeat.need('a_b', 'called');
    heartbeat.confirm('a_b', startMs);
    expect(heartbeat.nextMs).toBe(startMs + 15_000);
    clock.advanceTo(startMs + 15_000);
    heartbeat.signOfLife();
    expect(heartbeat.due()).toEqual(['a_b']);
  });

  it('is due in each market for itself, whichever was wanted first', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    for (const market of ['a_b', 'c_d', 'e_f']) heartbeat.need(market, 'called');
    heartbeat.confirm('a_b', startMs);
    heartbeat.confirm('c_d', startMs - 2_000);
    heartbeat.confirm('e_f', startMs - 1_000);
    expect(heartbeat.nextMs).toBe(startMs + 13_000);
    clock.advanceTo(startMs + 13_000);
    heartbeat.signOfLife();
    expect(heartbeat.due()).toEqual(['c_d']);
  });

  it('keeps the old confirmation when a call fails, and tries again soon', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    heartbeat.need('a_b', 'called');
    heartbeat.confirm('a_b', startMs);
    clock.advanceBy(20_000);
    heartbeat.signOfLife();
    heartbeat.calling('a_b');
    heartbeat.failed('a_b');
    expect(heartbeat.confirmed('a_b')).toBe(true);
    expect(heartbeat.due()).toEqual([]);
    expect(heartbeat.nextMs).toBe(clock.now() + 1_000);
  });
});

describe('Heartbeat without a confirmation', () => {
  it('is not due without a fresh sign of life, and lapses then', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    heartbeat.need('a_b', 'called');
    heartbeat.confirm('a_b', startMs);
    clock.advanceBy(54_999);
    expect(heartbeat.due()).toEqual([]);
    expect(heartbeat.takeLapsed()).toEqual([]);
    expect(heartbeat.nextMs).toBe(startMs + 55_000);
    clock.advanceBy(1);
    expect(heartbeat.takeLapsed()).toEqual(['a_b']);
    expect(heartbeat.takeLapsed()).toEqual([]);
    expect(heartbeat.ageMs('a_b')).toBe(Number.POSITIVE_INFINITY);
  });

  it('pauses after a confirmation that came too late to count', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    heartbeat.need('a_b', 'called');
    heartbeat.calling('a_b');
    clock.advanceBy(55_000);
    heartbeat.signOfLife();
    heartbeat.confirm('a_b', startMs);
    expect(heartbeat.takeLapsed()).toEqual(['a_b']);
    expect(heartbeat.due()).toEqual([]);
    clock.advanceBy(1_000);
    expect(heartbeat.due()).toEqual(['a_b']);
  });

  it('tells when the last one fires until it has, though it counts as lapsed before', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    expect(heartbeat.lastFiringMs).toBeUndefined();
    heartbeat.confirm('a_b', startMs);
    heartbeat.confirm('c_d', startMs - 9_000);
    clock.advanceBy(59_999);
    expect(heartbeat.takeLapsed()).toEqual(['a_b', 'c_d']);
    expect(heartbeat.lastFiringMs).toBe(startMs + 60_000);
    clock.advanceBy(1);
    expect(heartbeat.lastFiringMs).toBeUndefined();
  });

  it('ignores a confirmation that is older than the one it has', () => {
    const { heartbeat, startMs } = createHeartbeat();
    heartbeat.confirm('a_b', startMs);
    heartbeat.confirm('a_b', startMs - 9_000);
    expect(heartbeat.ageMs('a_b')).toBe(0);
    expect(heartbeat.state('a_b').confirmedMs).toBe(startMs);
  });

  it('admits as many markets as its share of the budget keeps alive', () => {
    const { heartbeat } = createHeartbeat({ budgetShare: 0.01 });
    expect(heartbeat.marketsMax).toBe(9);
    for (let i = 0; i < 9; i++) heartbeat.need(`m${i}_q`, 'called');
    expect(heartbeat.admits('m3_q')).toBe(true);
    expect(heartbeat.admits('m9_q')).toBe(false);
    heartbeat.need('m3_q', 'nothing');
    expect(heartbeat.admits('m9_q')).toBe(true);
  });

  it('admits exits to as many again, and nothing else there until a place is free', () => {
    const { heartbeat } = createHeartbeat({ budgetShare: 0 });
    const isExit = true;
    heartbeat.need('a_q', 'called');
    expect([heartbeat.admits('b_q'), heartbeat.admits('b_q', { isExit })]).toEqual([false, true]);
    heartbeat.need('b_q', 'place');
    expect([heartbeat.admits('a_q'), heartbeat.admits('b_q')]).toEqual([true, false]);
    expect(heartbeat.admits('b_q', { isExit })).toBe(true);
    expect(heartbeat.admits('c_q', { isExit })).toBe(false);
    heartbeat.need('a_q', 'nothing');
    expect([heartbeat.admits('a_q'), heartbeat.admits('b_q')]).toEqual([false, true]);
  });
});

describe('Heartbeat, as a person looks at it,', () => {
  it('was never armed, is armed, has lapsed and is armed anew', () => {
    const { clock, heartbeat, startMs } = createHeartbeat();
    const stands = () => heartbeat.state('a_b');
    const none = { confirmedMs: undefined, lapsedMs: undefined, firesMs: undefined };
    expect(stands()).toEqual({ ...none, isUnanswered: false });
    heartbeat.confirm('a_b', startMs);
    const armed = { confirmedMs: startMs, firesMs: startMs + 60_000, isUnanswered: false };
    expect(stands()).toEqual({ ...armed, lapsedMs: undefined });
    clock.advanceBy(70_000);
    heartbeat.takeLapsed();
    expect(stands()).toEqual({ ...armed, lapsedMs: startMs + 55_000 });
    heartbeat.confirm('a_b', clock.now());
    expect(stands()).toMatchObject({ confirmedMs: clock.now(), lapsedMs: undefined });
  });

  it('is unanswered from a call on that nobody answers, until one is', () => {
    const { clock, heartbeat } = createHeartbeat();
    const isUnanswered = () => heartbeat.state('a_b').isUnanswered;
    heartbeat.failed('a_b', { isUnanswered: true });
    expect(isUnanswered()).toBe(true);
    heartbeat.failed('a_b');
    expect(isUnanswered()).toBe(false);
    heartbeat.failed('a_b', { isUnanswered: true });
    heartbeat.confirm('a_b', clock.now());
    expect(isUnanswered()).toBe(false);
  });
});

describe('Heartbeat, where an order may still arrive', () => {
  it('is due for the longest of them, whatever else is needed', () => {
    const { clock, heartbeat } = createHeartbeat({ signOfLifeMs: 600_000 });
    heartbeat.need('a_b', 'place');
    heartbeat.confirm('a_b', clock.now());
    heartbeat.awaits('a_b', 30_000);
    heartbeat.awaits('a_b', 20_000);
    clock.advanceBy(14_999);
    expect(heartbeat.due()).toEqual([]);
    clock.advanceBy(15_000);
    expect(heartbeat.due()).toEqual(['a_b']);
    clock.advanceBy(1);
    expect(heartbeat.due()).toEqual([]);
    heartbeat.awaits('a_b', 30_000);
    expect(heartbeat.due()).toEqual(['a_b']);
    heartbeat.awaitsNone('a_b');
    expect(heartbeat.due()).toEqual([]);
  });
});
