import { Subscription, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ownedClock } from '../../../src/app/exchange/owned-clock.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

function owned() {
  const time = new VirtualClock(1_000);
  const owner = new Subscription();
  const ran: number[] = [];
  return { time, owner, clock: ownedClock(time, owner), ran };
}

describe('ownedClock', () => {
  it('tells the same time and runs work at it', () => {
    const { time, clock, ran } = owned();
    clock.schedule(() => ran.push(clock.now()), 50);
    time.advanceBy(100);
    expect(ran).toEqual([1_050]);
    expect(clock.now()).toBe(1_100);
  });

  it('tells elapsed time and the date where the other does', () => {
    const { time, owner, clock } = owned();
    expect(clock).not.toHaveProperty('elapsedMs');
    expect(clock).not.toHaveProperty('wallMs');
    const base = { now: () => 1, elapsedMs: () => 2, wallMs: () => 3, schedule: () => owner };
    const dated = ownedClock(base, owner);
    expect([dated.now(), dated.elapsedMs!(), dated.wallMs!()]).toEqual([1, 2, 3]);
    expect(time.now()).toBe(1_000);
  });

  it('lets work schedule itself anew', () => {
    const { time, clock, ran } = owned();
    timer(10, 10, clock).subscribe((count) => ran.push(count));
    time.advanceBy(35);
    expect(ran).toEqual([0, 1, 2]);
  });

  it('lets go of all work with its owner, and takes no more', () => {
    const { time, owner, clock, ran } = owned();
    timer(10, 10, clock).subscribe((count) => ran.push(count));
    time.advanceBy(15);
    owner.unsubscribe();
    clock.schedule(() => ran.push(-1), 1);
    time.advanceBy(100);
    expect(ran).toEqual([0]);
    expect(time.nextDueMs).toBeUndefined();
  });
});
