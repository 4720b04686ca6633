import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../../../src/kernel/index.ts';
import { Deadlines } from '../../../../../src/venues/zb/client/network/deadlines.ts';

describe('Deadlines', () => {
  test('expires what was not called off, at its own time', () => {
    const clock = new VirtualClock();
    const deadlines = new Deadlines(clock, 100);
    const expired: [string, number][] = [];
    const begin = (name: string) => deadlines.begin(() => expired.push([name, clock.now()]));
    begin('a');
    clock.advanceTo(30);
    const callOff = begin('b');
    clock.advanceTo(60);
    begin('c');
    callOff();
    clock.advanceTo(1_000);
    expect(expired).toEqual([
      ['a', 100],
      ['c', 160],
    ]);
  });

  test('holds no timer once all is quiet, nor after close', () => {
    const clock = new VirtualClock();
    const deadlines = new Deadlines(clock, 100);
    deadlines.begin(() => {})();
    clock.advanceTo(100);
    expect(clock.nextDueMs).toBeUndefined();
    deadlines.begin(() => expect.unreachable());
    deadlines.close();
    clock.advanceTo(1_000);
    expect(clock.nextDueMs).toBeUndefined();
  });

  test('agrees with one timer for each', () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat(60), callsOff: fc.option(fc.nat(10)) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(steps, (script) => {
        const clock = new VirtualClock();
        const deadlines = new Deadlines(clock, 100);
        const actual: string[] = [];
        const oracle: string[] = [];
        const callOffs: (() => void)[] = [];
        script.forEach(({ waitMs, callsOff }, at) => {
          clock.advanceBy(waitMs);
          const callOff = deadlines.begin(() => actual.push(`${at} ${clock.now()}`));
          const timer = clock.schedule(() => oracle.push(`${at} ${clock.now()}`), 100);
          callOffs.push(() => {
            callOff();
            timer.unsubscribe();
          });
          if (callsOff !== null) callOffs[callsOff]?.();
        });
        clock.advanceBy(1_000);
        expect(actual).toEqual(oracle);
      }),
      { seed: 7 },
    );
  });
});

describe('Deadlines, where the date is set forth', () => {
  test('expires at its own time still', () => {
    const clock = new VirtualClock();
    let setForthMs = 0;
    const machine = {
      now: () => clock.now() + setForthMs,
      elapsedMs: () => clock.now(),
      schedule: clock.schedule.bind(clock),
    };
    const deadlines = new Deadlines(machine, 100);
    const expired: number[] = [];
    const begin = () => deadlines.begin(() => expired.push(clock.now()));
    begin();
    clock.advanceTo(90);
    begin();
    setForthMs = 86_400_000;
    clock.advanceTo(1_000);
    expect(expired).toEqual([100, 190]);
  });
});

describe('Deadlines, where what expires begins another', () => {
  test('wakes once for each that expires', () => {
    const clock = new VirtualClock();
    const deadlines = new Deadlines(clock, 100);
    let begun = 0;
    const again = (): void => {
      begun++;
      deadlines.begin(again);
    };
    for (let at = 0; at < 3; at++) {
      again();
      clock.advanceBy(10);
    }
    let wakes = 0;
    while (begun < 30) {
      clock.runNext();
      wakes++;
    }
    expect(wakes).toBe(27);
  });
});
