import fc from 'fast-check';
import { interval, type Subscription, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ScaledClock } from '../../../src/app/time/scaled-clock.ts';
import { type Clock, VirtualClock } from '../../../src/kernel/index.ts';
import { NaiveTime, type NaiveWork } from './naive-time.ts';

const START_MS = 1_000_000;

function scaled({ scale = 10 }: { scale?: number } = {}) {
  const base = new VirtualClock(50_000);
  const clock = new ScaledClock({ base, scale, startMs: START_MS });
  return { base, clock, sinceStart: () => clock.now() - START_MS };
}

describe('ScaledClock', () => {
  it('runs so many times as fast as its base, in whole milliseconds', () => {
    const { base, sinceStart } = scaled({ scale: 2.5 });
    base.advanceBy(3);
    expect(sinceStart()).toBe(7);
  });

  it('begins at the time of its base where none is given', () => {
    const base = new VirtualClock(77);
    expect(new ScaledClock({ base, scale: 3 }).now()).toBe(77);
  });

  it('runs work at its own time, in order, though the base has no timer that fine', () => {
    const { base, clock, sinceStart } = scaled({ scale: 1_000 });
    const ran: number[] = [];
    for (const delay of [70, 20, 900, 1_001]) clock.schedule(() => ran.push(sinceStart()), delay);
    base.advanceBy(1);
    expect(ran).toEqual([20, 70, 900]);
    base.advanceBy(1);
    expect(ran).toEqual([20, 70, 900, 1_001]);
  });

  it('drives periodic work of rxjs', () => {
    const { base, clock, sinceStart } = scaled({ scale: 4 });
    const seen: number[] = [];
    interval(10, clock)
      .pipe(take(3))
      .subscribe(() => seen.push(sinceStart()));
    base.advanceBy(100);
    expect(seen).toEqual([10, 20, 30]);
  });

  it('leaps, and what falls due on the way runs at its time', () => {
    const { base, clock, sinceStart } = scaled();
    const ran: number[] = [];
    clock.schedule(() => ran.push(sinceStart()), 60_000);
    clock.leap(100_000);
    expect([sinceStart(), clock.behindMs]).toEqual([59_999, 40_001]);
    base.advanceBy(0);
    expect([ran, sinceStart(), clock.behindMs]).toEqual([[60_000], 100_000, 0]);
  });
});

describe('ScaledClock on a machine of this world', () => {
  it('runs on evenly where the date of its base is set', () => {
    const base = new VirtualClock(50_000);
    let aheadMs = 0;
    const dated: Clock = {
      now: () => base.now() + aheadMs,
      elapsedMs: () => base.now(),
      schedule: base.schedule.bind(base),
    };
    const clock = new ScaledClock({ base: dated, scale: 2, startMs: 0 });
    aheadMs = 3_600_000;
    base.advanceBy(5);
    expect(clock.now()).toBe(10);
  });

  it('falls behind a machine that is too slow, leaves nothing out and lets others in between', () => {
    const base = new VirtualClock();
    let spentMs = 0;
    const busy: Clock = {
      now: () => base.now(),
      elapsedMs: () => base.now() + spentMs,
      schedule: base.schedule.bind(base),
    };
    const clock = new ScaledClock({ base: busy, scale: 1, startMs: 0 });
    const ran: string[] = [];
    for (const at of [10, 11, 12, 13]) {
      clock.schedule(() => {
        ran.push(`work ${clock.now()}`);
        spentMs += 4;
      }, at);
    }
    base.schedule(() => ran.push(`other at ${clock.now()}`), 10);
    base.advanceTo(10);
    expect(ran).toEqual(['work 10', 'work 11', 'other at 11', 'work 12', 'work 13']);
    expect(clock.behindMs).toBe(0);
  });

  it('runs nothing more once it is stopped', () => {
    const { base, clock } = scaled();
    let ran = false;
    clock.schedule(() => {
      ran = true;
    }, 5);
    clock.stop();
    base.advanceBy(100);
    expect(ran).toBe(false);
  });
});

const DELAY = fc.nat(200);
const STEP = fc.oneof(
  fc.record({
    kind: fc.constant('schedule' as const),
    delay: DELAY,
    successor: fc.option(DELAY, { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('cancel' as const), name: fc.nat(20).map(String) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(40) }),
  fc.record({ kind: fc.constant('leap' as const), ms: fc.nat(300) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

/** Scaled time and the naive one, side by side. */
class Pair {
  readonly naive: NaiveTime;
  readonly ran: string[] = [];
  readonly #base = new VirtualClock(50_000);
  readonly #clock: ScaledClock;
  readonly #works = new Map<string, Subscription>();

  constructor(scale: number) {
    this.naive = new NaiveTime(scale);
    this.#clock = new ScaledClock({ base: this.#base, scale, startMs: 0 });
  }

  get nowMs(): number {
    return this.#clock.now();
  }

  take(step: Step, name: string): void {
    if (step.kind === 'schedule') {
      this.#works.set(name, this.#schedule({ ...step, name }));
      this.naive.schedule({ ...step, name });
    } else if (step.kind === 'cancel') {
      this.#works.get(step.name)?.unsubscribe();
      this.naive.cancel(step.name);
    } else if (step.kind === 'pass') {
      this.#base.advanceBy(step.ms);
      this.naive.pass(step.ms);
    } else {
      this.#clock.leap(step.ms);
      this.#base.advanceBy(0);
      this.naive.leap(step.ms);
    }
  }

  #schedule({ name, delay, successor }: NaiveWork): Subscription {
    return this.#clock.schedule(() => {
      this.ran.push(`${name}@${this.nowMs}`);
      if (successor !== undefined) this.#schedule({ name: `${name}'`, delay: successor });
    }, delay);
  }
}

describe('ScaledClock beside a plain list of work', () => {
  it('runs the same at the same times, whatever is done to it', () => {
    const scale = fc.constantFrom(0.1, 0.5, 1, 3, 7.5, 1_000);
    const property = fc.property(scale, fc.array(STEP, { maxLength: 40 }), (factor, steps) => {
      const pair = new Pair(factor);
      for (const [at, step] of steps.entries()) {
        pair.take(step, `${at}`);
        expect(pair.ran).toEqual(pair.naive.ran);
        expect(pair.nowMs).toBe(pair.naive.nowMs);
      }
    });
    fc.assert(property, { seed: 7, numRuns: 300 });
  });
});
