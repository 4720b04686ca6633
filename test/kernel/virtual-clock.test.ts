import fc from 'fast-check';
import { debounceTime, interval, Subject, type Subscription, take, timeout, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/kernel/index.ts';

describe('VirtualClock', () => {
  it('starts where told and moves only when told', () => {
    const clock = new VirtualClock(1_000);
    clock.schedule(() => {}, 5);
    expect(clock.now()).toBe(1_000);
    clock.advanceBy(7);
    expect(clock.now()).toBe(1_007);
  });

  it('comes to a time short of the work that is due at it, which runs with the next move', () => {
    const clock = new VirtualClock();
    const ran: number[] = [];
    for (const delay of [10, 5]) clock.schedule(() => ran.push(clock.now()), delay);
    clock.advanceShortOf(10);
    expect([clock.now(), ...ran]).toEqual([10, 5]);
    clock.schedule(() => ran.push(11), 0);
    clock.advanceTo(10);
    expect(ran).toEqual([5, 10, 11]);
  });

  it('says whether work may be due at the present time', () => {
    const clock = new VirtualClock();
    clock.schedule(() => {}, 10);
    expect(clock.isDue).toBe(false);
    clock.advanceShortOf(10);
    expect(clock.isDue).toBe(true);
    clock.runDue();
    expect(clock.isDue).toBe(false);
  });

  it('hands the state to the work', () => {
    const clock = new VirtualClock();
    const states: unknown[] = [];
    clock.schedule((state) => states.push(state), 1, 'cargo');
    clock.runNext();
    expect(states).toEqual(['cargo']);
  });
});

describe("VirtualClock's edges", () => {
  it('skips cancelled work', () => {
    const clock = new VirtualClock();
    const ran: string[] = [];
    clock.schedule(() => ran.push('never'), 1).unsubscribe();
    clock.schedule(() => ran.push('ran'), 2);
    expect(clock.nextDueMs).toBe(2);
    expect([clock.runNext(), clock.runNext()]).toEqual([true, false]);
    expect(ran).toEqual(['ran']);
  });

  it('takes a negative delay as none and never runs backwards', () => {
    const clock = new VirtualClock(10);
    const ran: number[] = [];
    clock.schedule(() => ran.push(clock.now()), -5);
    clock.advanceTo(10);
    clock.advanceTo(3);
    expect([ran, clock.now()]).toEqual([[10], 10]);
  });

  it('refuses a delay that is not a number', () => {
    expect(() => new VirtualClock().schedule(() => {}, Number.NaN)).toThrow('its delay is NaN');
  });

  it('goes on after work that threw', () => {
    const clock = new VirtualClock();
    let ran = false;
    clock.schedule(() => {
      throw new Error('broken');
    }, 1);
    clock.schedule(() => {
      ran = true;
    }, 2);
    expect(() => clock.advanceBy(5)).toThrow('broken');
    clock.advanceBy(5);
    expect(ran).toBe(true);
  });

  it('does not hoard cancelled work', () => {
    const clock = new VirtualClock();
    for (let i = 0; i < 100_000; i++) clock.schedule(() => {}, 3_600_000).unsubscribe();
    expect(clock.queued).toBeLessThan(2_000);
  });
});

describe('VirtualClock under rxjs', () => {
  it('drives timer and interval', () => {
    const clock = new VirtualClock();
    const ticks: number[] = [];
    timer(3, clock).subscribe(() => ticks.push(clock.now()));
    interval(10, clock)
      .pipe(take(3))
      .subscribe(() => ticks.push(clock.now()));
    clock.advanceBy(100);
    expect(ticks).toEqual([3, 10, 20, 30]);
    expect(clock.nextDueMs).toBeUndefined();
  });

  it('drives debounceTime', () => {
    const clock = new VirtualClock();
    const source = new Subject<number>();
    const seen: [number, number][] = [];
    source.pipe(debounceTime(10, clock)).subscribe((value) => seen.push([clock.now(), value]));
    source.next(1);
    clock.advanceBy(6);
    source.next(2);
    clock.advanceBy(9);
    expect(seen).toEqual([]);
    clock.advanceBy(1);
    expect(seen).toEqual([[16, 2]]);
  });

  it('drives timeout', () => {
    const clock = new VirtualClock();
    const errors: unknown[] = [];
    new Subject()
      .pipe(timeout({ each: 10, scheduler: clock }))
      .subscribe({ error: (error) => errors.push(error) });
    clock.advanceBy(9);
    expect(errors).toHaveLength(0);
    clock.advanceBy(1);
    expect(errors).toHaveLength(1);
  });
});

describe('VirtualClock against a sorted list', () => {
  /** Schedule after a delay (and perhaps again from within), cancel the nth, or advance. */
  const command = fc.oneof(
    fc.record({ do: fc.constant('schedule' as const), delay: fc.nat(30), again: fc.nat(2) }),
    fc.record({ do: fc.constant('cancel' as const), index: fc.nat(20) }),
    fc.record({ do: fc.constant('advance' as const), by: fc.nat(25) }),
  );

  it('runs the same work at the same times', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const clock = new VirtualClock();
        const naive = new NaiveClock();
        const [ran, wanted]: [string[], string[]] = [[], []];
        const handles: Subscription[] = [];
        for (const step of commands) {
          if (step.do === 'schedule') {
            const id = handles.length;
            handles.push(
              clock.schedule<number>(
                function work(left = 0) {
                  ran.push(`${id} at ${clock.now()}`);
                  if (left > 0) this.schedule(left - 1, step.delay);
                },
                step.delay,
                step.again,
              ),
            );
            naive.schedule({ id, delay: step.delay, again: step.again });
          } else if (step.do === 'cancel') {
            handles[step.index]?.unsubscribe();
            naive.cancel(step.index);
          } else {
            clock.advanceBy(step.by);
            wanted.push(...naive.advanceBy(step.by));
          }
        }
        expect(ran).toEqual(wanted);
      }),
      { seed: 19, numRuns: 500 },
    );
  });
});

interface NaiveWork {
  readonly id: number;
  readonly delay: number;
  readonly again: number;
}

/** The same clock, sorting a list anew for every step. */
class NaiveClock {
  #now = 0;
  #list: (NaiveWork & { readonly due: number; readonly sequence: number })[] = [];
  #sequence = 0;

  schedule(work: NaiveWork): void {
    this.#list.push({ ...work, due: this.#now + work.delay, sequence: this.#sequence++ });
  }

  cancel(id: number): void {
    this.#list = this.#list.filter((work) => work.id !== id);
  }

  advanceBy(by: number): string[] {
    const end = this.#now + by;
    const ran: string[] = [];
    for (;;) {
      this.#list.sort((a, b) => a.due - b.due || a.sequence - b.sequence);
      const next = this.#list[0];
      if (next === undefined || next.due > end) break;
      this.#list.shift();
      this.#now = next.due;
      ran.push(`${next.id} at ${next.due}`);
      if (next.again > 0) this.schedule({ ...next, again: next.again - 1 });
    }
    this.#now = end;
    return ran;
  }
}
