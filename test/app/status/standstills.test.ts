import { describe, expect, it, onTestFinished } from 'vitest';
import { followStandstills } from '../../../src/app/status/standstills.ts';
import { type Clock, VirtualClock } from '../../../src/kernel/index.ts';

const CAUSES =
  'the machine held it up, or the disk of its journal or log, or a strategy that computes for long';

/** A machine whose time can pass while no timer has its turn. */
function machineOf() {
  const turns = new VirtualClock(0);
  let heldMs = 0;
  let aheadMs = 0;
  const clock: Clock = {
    now: () => turns.now() + heldMs + aheadMs,
    elapsedMs: () => turns.now() + heldMs,
    schedule: turns.schedule.bind(turns),
  };
  const told: string[] = [];
  const following = followStandstills({ clock, tell: (text) => told.push(text) });
  onTestFinished(() => following.unsubscribe());
  return {
    told,
    following,
    run: (durationMs: number): void => {
      turns.advanceBy(durationMs);
    },
    stand: (durationMs: number): void => {
      heldMs += durationMs;
    },
    jump: (durationMs: number): void => {
      aheadMs += durationMs;
    },
  };
}

describe('followStandstills', () => {
  it('says nothing while everything moves, hiccups included', () => {
    const { told, run, stand } = machineOf();
    for (let minute = 0; minute < 10; minute++) {
      stand(900);
      run(60_000);
    }
    expect(told).toEqual([]);
  });

  it('tells how long nothing moved', () => {
    const { told, run, stand } = machineOf();
    run(10_000);
    stand(65_000);
    run(250);
    expect(told).toEqual([`nothing moved in this process for 1 min 5 s: ${CAUSES}`]);
  });

  it('adds up many short ones, and tells once a minute', () => {
    const { told, run, stand } = machineOf();
    for (let flush = 0; flush < 60; flush++) {
      stand(500);
      run(500);
    }
    expect(told).toEqual([
      `nothing moved in this process for 6 s of 11.8 s, at most 0.5 s at a time: ${CAUSES}`,
    ]);
    for (let flush = 0; flush < 60; flush++) {
      stand(500);
      run(500);
    }
    expect(told).toHaveLength(2);
    expect(told[1]).toContain('nothing moved in this process for 30 s of 1 min');
  });

  it('tells of a date that jumps ahead, which is no standstill', () => {
    const { told, run, jump } = machineOf();
    run(10_000);
    jump(4_000);
    run(1_000);
    jump(7_200_000);
    run(1_000);
    expect(told).toEqual(['the machine slept for 2 h, or its date was set forward by as much']);
  });

  it('ends when it is unsubscribed', () => {
    const { told, run, stand, following } = machineOf();
    following.unsubscribe();
    stand(65_000);
    run(60_000);
    expect(told).toEqual([]);
  });
});
