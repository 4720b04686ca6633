import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/kernel/index.ts';
import { MarketClock } from '../../src/market/market-clock.ts';
import { machineClock, START_MS } from './fixture.ts';

/**
 * A market's clock on a machine whose date can be set, and how far it is ahead of the true time.
 */
function clockFixture(startAheadMs = 0) {
  const time = new VirtualClock(START_MS);
  const date = { aheadMs: startAheadMs };
  const machine = machineClock(time, () => date.aheadMs);
  const clock = new MarketClock(machine);
  const aheadMs = () => clock.now() - time.now();
  return { time, date, machine, clock, aheadMs };
}

describe('MarketClock', () => {
  it('is not led astray by a date that is ahead for a moment, unlike the clock of the run', () => {
    const { time, date, machine, aheadMs } = clockFixture();
    date.aheadMs = 600_000;
    expect(machine.now() - time.now()).toBe(600_000);
    expect(aheadMs()).toBe(0);
    date.aheadMs = 0;
    time.advanceBy(1_000);
    expect(machine.now() - time.now()).toBe(600_000);
    expect(aheadMs()).toBe(0);
  });

  it('follows a date forth as far as trades show it', () => {
    const { time, date, clock, aheadMs } = clockFixture();
    date.aheadMs = 600_000;
    clock.shows(time.now() + 200_000);
    expect(aheadMs()).toBe(200_000);
    clock.shows(time.now() + 900_000);
    expect(aheadMs()).toBe(600_000);
  });

  it('follows a date back, and forth again', () => {
    const { date, aheadMs } = clockFixture();
    date.aheadMs = -5_000;
    expect(aheadMs()).toBe(-5_000);
    date.aheadMs = 0;
    expect(aheadMs()).toBe(0);
  });

  it('is right where the date was ahead at the start, once it is set right', () => {
    const { date, aheadMs } = clockFixture(600_000);
    expect(aheadMs()).toBe(600_000);
    date.aheadMs = 0;
    expect(aheadMs()).toBe(0);
  });

  it('is the clock where that has no date of its own', () => {
    const time = new VirtualClock(START_MS);
    const clock = new MarketClock(time);
    time.advanceBy(12_345);
    expect(clock.now()).toBe(time.now());
  });
});
