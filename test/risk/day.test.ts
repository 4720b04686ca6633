import { describe, expect, it } from 'vitest';
import { clockOf } from '../../src/app/time/system-clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/index.ts';
import { DayTurn, RiskDay } from '../../src/risk/day.ts';

const START_MS = Date.UTC(2024, 0, 1, 12);

/** A day on a machine whose date can be wrong: its number counts from the day of the start. */
function dayFixture({ aheadMs = 0 } = {}) {
  const machine = { passedMs: 0, aheadMs };
  const time = clockOf({
    wall: () => START_MS + machine.passedMs + machine.aheadMs,
    monotonic: () => START_MS + machine.passedMs,
  });
  const day = new RiskDay(time);
  const first = day.today();
  return { machine, day, today: () => day.today() - first };
}

describe('RiskDay', () => {
  it('begins at midnight UTC', () => {
    const { machine, today } = dayFixture();
    machine.passedMs = 12 * HOUR_MS - 1;
    expect(today()).toBe(0);
    machine.passedMs++;
    expect(today()).toBe(1);
    machine.passedMs += DAY_MS;
    expect(today()).toBe(2);
  });

  it('is not ended by a date that is ahead for less than a minute, however often', () => {
    const { machine, today } = dayFixture();
    for (let days = 1; days < 100; days++) {
      machine.aheadMs = days * DAY_MS;
      expect(today()).toBe(0);
      machine.passedMs += MINUTE_MS - 1;
      expect(today()).toBe(0);
      machine.aheadMs = 0;
      expect(today()).toBe(0);
    }
  });

  it('follows a date that stays ahead, as after a sleep, and does not come back', () => {
    const { machine, today } = dayFixture();
    machine.aheadMs = DAY_MS;
    expect(today()).toBe(0);
    machine.passedMs += MINUTE_MS;
    expect(today()).toBe(1);
    machine.aheadMs = 0;
    expect(today()).toBe(1);
    machine.passedMs += DAY_MS;
    expect(today()).toBe(1);
    machine.passedMs += DAY_MS;
    expect(today()).toBe(2);
  });

  it('goes by a date that was set back', () => {
    const { machine, today } = dayFixture();
    machine.aheadMs = -HOUR_MS;
    machine.passedMs = 13 * HOUR_MS - 1;
    expect(today()).toBe(0);
    machine.passedMs++;
    expect(today()).toBe(1);
  });
});

describe('RiskDay, a date that was ahead at the start', () => {
  it('begins no day when it is set right, and takes none away', () => {
    const { machine, today } = dayFixture({ aheadMs: DAY_MS });
    machine.passedMs = MINUTE_MS - 1;
    expect(today()).toBe(0);
    machine.aheadMs = 0;
    expect(today()).toBe(0);
    machine.passedMs = 12 * HOUR_MS - 1;
    expect(today()).toBe(0);
    machine.passedMs++;
    expect(today()).toBe(1);
    machine.passedMs += DAY_MS;
    expect(today()).toBe(2);
  });

  it('makes no later date believed at once', () => {
    const { machine, today } = dayFixture({ aheadMs: DAY_MS });
    machine.aheadMs = 0;
    expect(today()).toBe(0);
    machine.aheadMs = DAY_MS;
    expect(today()).toBe(0);
  });

  it('counts where it stood for a minute', () => {
    const { machine, today } = dayFixture({ aheadMs: DAY_MS });
    machine.passedMs = MINUTE_MS;
    expect(today()).toBe(0);
    machine.aheadMs = 0;
    machine.passedMs = 12 * HOUR_MS;
    expect(today()).toBe(0);
  });
});

describe('DayTurn', () => {
  it('tells each that a day has come, once', () => {
    const { machine, day } = dayFixture();
    const [one, other] = [new DayTurn(day), new DayTurn(day)];
    expect(one.hasCome()).toBe(false);
    machine.passedMs = 12 * HOUR_MS;
    expect([one.hasCome(), one.hasCome()]).toEqual([true, false]);
    expect(other.hasCome()).toBe(true);
  });
});
