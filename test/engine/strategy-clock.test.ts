import { debounceTime, interval, Subject, Subscription, take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { strategyClock } from '../../src/engine/strategy-clock.ts';
import { Bus, type Clock, VirtualClock } from '../../src/kernel/index.ts';

function clockOf() {
  const bus = new Bus<TradingEvent>();
  const clock = new VirtualClock(1_000);
  const told: string[] = [];
  bus.record((event) => {
    if (event.kind === 'timer') told.push(`${event.time} ${event.strategy} ${event.timer}`);
  });
  return { bus, clock, told, own: strategyClock(clock, { bus, strategy: 'maker' }) };
}

describe('strategyClock', () => {
  it('tells each going off of a timer before its work is done', () => {
    const { clock, told, own } = clockOf();
    const seen: string[] = [];
    own.schedule((state) => seen.push(`${state} after ${told.length}`), 20, 'second');
    own.schedule((state) => seen.push(`${state} after ${told.length}`), 10, 'first');
    clock.advanceBy(30);
    expect(told).toEqual(['1010 maker 2', '1020 maker 1']);
    expect(seen).toEqual(['first after 1', 'second after 2']);
  });

  it('keeps the number of a timer that is scheduled again', () => {
    const { clock, told, own } = clockOf();
    const seen: number[] = [];
    interval(100, own)
      .pipe(take(2))
      .subscribe((turn) => seen.push(turn));
    clock.advanceBy(1_000);
    expect(told).toEqual(['1100 maker 1', '1200 maker 1']);
    expect(seen).toEqual([0, 1]);
  });

  it('numbers the timers of another clock of the strategy apart', () => {
    const { bus, clock, told, own } = clockOf();
    const other = strategyClock(clock, { bus, strategy: 'maker', step: -1 });
    for (const each of [own, other, other]) each.schedule(() => {}, 5);
    clock.advanceBy(5);
    expect(told).toEqual(['1005 maker 1', '1005 maker -1', '1005 maker -2']);
  });

  it('tells nothing of a timer that is let go of', () => {
    const { clock, told, own } = clockOf();
    const source = new Subject<number>();
    const subscription = source.pipe(debounceTime(50, own)).subscribe();
    source.next(1);
    subscription.unsubscribe();
    clock.advanceBy(100);
    expect(told).toEqual([]);
    expect(own.now()).toBe(1_100);
  });

  it('tells of timers that let no time pass, and lets them rest', () => {
    const { bus, clock, told } = clockOf();
    const reasons: string[] = [];
    const onRestless = (reason: string) => reasons.push(reason);
    const own = strategyClock(clock, { bus, strategy: 'maker', onRestless });
    interval(0, own).subscribe();
    clock.advanceBy(1);
    expect(reasons).toEqual([
      'more than 100,000 of its timers went off at one moment, timers that let time pass are wanted',
    ]);
    expect(told).toHaveLength(100_000);
  });

  it('lets as many go off as there are, one moment after the other', () => {
    const { bus, clock, told } = clockOf();
    const own = strategyClock(clock, { bus, strategy: 'maker', onRestless: expect.unreachable });
    interval(1, own).subscribe();
    clock.advanceBy(100_001);
    expect(told).toHaveLength(100_001);
  });
});

describe('the time of a strategyClock', () => {
  it('is that of what is heard, which a journal has, and of a timer all along', () => {
    const { bus } = clockOf();
    let nowMs = 1_000;
    const due: (() => void)[] = [];
    const ticking = {
      now: () => nowMs++,
      schedule: (work: () => void) => {
        due.push(work);
        return new Subscription();
      },
    };
    const own = strategyClock(ticking as unknown as Clock, { bus, strategy: 'maker' });
    const seen: number[] = [];
    const look = () => seen.push(own.now(), own.now());
    bus.on('timer').subscribe(look);
    bus.publish({ kind: 'timer', time: 1_500, strategy: 'other', timer: 1 });
    // An event that is told late: the time does not go back.
    bus.publish({ kind: 'timer', time: 1_400, strategy: 'other', timer: 2 });
    expect(seen.splice(0)).toEqual([1_500, 1_500, 1_500, 1_500]);
    nowMs = 2_000;
    own.schedule(look, 10);
    due[0]!();
    expect(new Set(seen.splice(0)).size).toBe(1);
    nowMs = 3_000;
    expect([own.now(), own.now()]).toEqual([3_000, 3_001]);
  });
});
