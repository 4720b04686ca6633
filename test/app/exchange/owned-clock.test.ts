import { Subscription, timer } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownedClock } from '../../../src/app/exchange/owned-clock.ts';
import { systemClock } from '../../../src/app/time/system-clock.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

/** Knows how much it owns. */
class CountingOwner extends Subscription {
  held = 0;
  override add(one: Subscription): void {
    this.held++;
    super.add(one);
  }
  override remove(one: Subscription): void {
    this.held--;
    super.remove(one);
  }
}

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

  it('keeps nothing of work that is done, be it on the timers of the machine', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const owner = new CountingOwner();
    const clock = ownedClock(systemClock, owner);
    let done = 0;
    for (let at = 0; at < 50; at++) clock.schedule(() => done++, at);
    clock.schedule(function again() {
      if (++done < 100) this.schedule(undefined, 1);
    }, 1);
    expect(owner.held).toBe(51);
    vi.advanceTimersByTime(1_000);
    expect({ done, held: owner.held }).toEqual({ done: 100, held: 0 });
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
