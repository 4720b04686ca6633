import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../src/kernel/index.ts';
import { Staleness } from '../../src/market/staleness.ts';
import { MARKET } from './fixture.ts';

function stalenessFixture(alive?: () => boolean) {
  const clock = new VirtualClock();
  const bus = new Bus<TradingEvent>();
  const told: [time: number, fresh: boolean, ageMs: number][] = [];
  bus.on('freshness').subscribe(({ time, fresh, ageMs }) => told.push([time, fresh, ageMs]));
  const staleness = new Staleness({
    clock,
    bus,
    market: MARKET,
    stream: 'trade',
    limitMs: 1_000,
    ...(alive === undefined ? {} : { alive }),
  });
  return { clock, staleness, told };
}

describe('Staleness', () => {
  it('tells once when the limit has passed in silence, and once when data returns', () => {
    const { clock, staleness, told } = stalenessFixture();
    staleness.start();
    clock.advanceBy(600);
    staleness.sign();
    clock.advanceBy(999);
    expect(told).toEqual([]);
    clock.advanceBy(5_000);
    staleness.sign();
    staleness.sign();
    expect(told).toEqual([
      [1_600, false, 1_000],
      [6_599, true, 0],
    ]);
  });

  it('tells of the second silence too, exactly at the limit', () => {
    const { clock, staleness, told } = stalenessFixture();
    staleness.start();
    clock.advanceBy(1_300);
    staleness.sign();
    clock.advanceBy(3_000);
    expect(told.map(([time, fresh]) => [time, fresh])).toEqual([
      [1_000, false],
      [1_300, true],
      [2_300, false],
    ]);
  });

  it('is told by no timer once it stops, whatever still comes', () => {
    const { clock, staleness, told } = stalenessFixture();
    staleness.start();
    staleness.stop();
    staleness.sign();
    expect(clock.nextDueMs).toBeUndefined();
    expect(told).toEqual([]);
  });

  it('asks for another sign of life before it tells, and while stale', () => {
    let alive = true;
    const { clock, staleness, told } = stalenessFixture(() => alive);
    staleness.start();
    clock.advanceBy(10_000);
    expect(told).toEqual([]);
    alive = false;
    clock.advanceBy(3_000);
    alive = true;
    clock.advanceBy(3_000);
    expect(told.map(([, fresh]) => fresh)).toEqual([false, true]);
  });

  it('is quiet while stopped and still stale when started again', () => {
    const { clock, staleness, told } = stalenessFixture();
    staleness.start();
    clock.advanceBy(1_500);
    staleness.stop();
    clock.advanceBy(10_000);
    staleness.start();
    staleness.sign();
    expect(told.map(([, fresh]) => fresh)).toEqual([false, true]);
  });
});
