import { NEVER, Subject, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { complete, pass } from '../../../src/app/time/drive.ts';
import { RehearsalClock } from '../../../src/app/time/rehearsal-clock.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

describe('complete', () => {
  it('moves virtual time until the answer is there', async () => {
    const clock = new VirtualClock();
    expect(await complete(timer(500, clock), clock)).toBe(0);
    expect(clock.now()).toBe(500);
  });

  it('fails as the source fails', async () => {
    const clock = new VirtualClock();
    const source = throwError(() => new Error('no'));
    await expect(complete(source, clock)).rejects.toThrow('no');
  });

  it('says so where nothing can ever answer', async () => {
    await expect(complete(NEVER, new VirtualClock())).rejects.toThrow('nothing is scheduled');
  });
});

describe('pass', () => {
  it('runs virtual time to its end', async () => {
    const clock = new VirtualClock();
    let ticks = 0;
    timer(0, 100, clock).subscribe(() => ticks++);
    await pass(clock, { durationMs: 1_000, until: NEVER });
    expect(clock.now()).toBe(1_000);
    expect(ticks).toBe(10);
  });

  it('ends early when asked', async () => {
    const clock = new VirtualClock();
    const until = new Subject<void>();
    clock.schedule(() => until.next(), 300);
    await pass(clock, { durationMs: 1_000, until });
    expect(clock.now()).toBe(300);
  });

  it('lets the world outside have its turn, so that it can ask', async () => {
    const clock = new VirtualClock();
    const until = new Subject<void>();
    timer(0, 1, clock).subscribe();
    setImmediate(() => until.next());
    await pass(clock, { durationMs: Number.POSITIVE_INFINITY, until });
    expect(clock.now()).toBeGreaterThan(0);
  });
});

describe('RehearsalClock', () => {
  it('stands still while something is read', async () => {
    const clock = new RehearsalClock();
    const seen: number[] = [];
    timer(0, 10, clock).subscribe();
    const reading = (async () => {
      for await (const _ of clock.awaited(slowly(3))) seen.push(clock.now());
    })();
    await complete(timer(20, clock), clock);
    await pass(clock, { durationMs: 50, until: NEVER });
    await reading;
    expect(seen).toEqual([0, 0, 0]);
    expect(clock.now()).toBe(70);
  });

  it('goes on when a read fails', async () => {
    const clock = new RehearsalClock();
    const failing = clock.awaited(failingSource());
    const failed = expect(failing.next()).rejects.toThrow('unreadable');
    await complete(timer(20, clock), clock);
    await failed;
    expect(clock.now()).toBe(20);
  });
});

async function* failingSource(): AsyncGenerator<number> {
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error('unreadable');
}

async function* slowly(items: number): AsyncGenerator<number> {
  for (let item = 0; item < items; item++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield item;
  }
}
