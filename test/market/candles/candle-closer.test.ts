import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/kernel/index.ts';
import type { Bar } from '../../../src/market/candles/candle-builder.ts';
import { CandleCloser } from '../../../src/market/candles/candle-closer.ts';
import { START_MS } from '../fixture.ts';

const MINUTE = 60_000;

/** A closer of minutes that waits 1 s for late trades, and what it closed as [minute, close, when]. */
function closerFixture() {
  const clock = new VirtualClock(START_MS);
  const closed: [minute: number, close: number, seconds: number][] = [];
  const known = { untilMs: Number.POSITIVE_INFINITY };
  const date = { aheadMs: 0 };
  const dated = { now: () => clock.now() + date.aheadMs, schedule: clock.schedule.bind(clock) };
  const onClosed = (bars: readonly Bar[]): void => {
    for (const { openTime, close } of bars) {
      closed.push([(openTime - START_MS) / MINUTE, close, (clock.now() - START_MS) / 1_000]);
    }
  };
  const closer = new CandleCloser({
    ...{ clock: dated, interval: '1min', amountScale: 2, graceMs: 1_000, retryMs: 500, onClosed },
    readUntil: () => known.untilMs,
  });
  const trade = (price: number): void => {
    closer.add({ exchangeTime: clock.now(), price, amount: 1 });
    closer.keepWatch();
  };
  return { clock, date, closer, closed, known, trade };
}

describe('CandleCloser', () => {
  it('closes with the first trade behind a candle', () => {
    const { clock, closed, trade } = closerFixture();
    trade(10);
    clock.advanceBy(MINUTE + 300);
    trade(11);
    expect(closed).toEqual([[0, 10, 60.3]]);
  });

  it('closes when the grace is over, and goes on with flat candles', () => {
    const { clock, closed, trade } = closerFixture();
    trade(10);
    clock.advanceBy(2 * MINUTE + 1_000);
    expect(closed).toEqual([
      [0, 10, 61],
      [1, 10, 121],
    ]);
  });

  it('closes nothing within the grace, whenever it looks', () => {
    const { clock, closer, closed, trade } = closerFixture();
    trade(10);
    clock.advanceBy(MINUTE + 999);
    closer.watch();
    expect(closed).toEqual([]);
    clock.advanceBy(1);
    expect(closed).toEqual([[0, 10, 61]]);
  });

  it('waits until the trades are read to the end of the candle', () => {
    const { clock, closed, known, trade } = closerFixture();
    known.untilMs = START_MS + MINUTE - 1;
    trade(10);
    clock.advanceBy(MINUTE + 3_200);
    expect(closed).toEqual([]);
    known.untilMs = START_MS + MINUTE;
    clock.advanceBy(500);
    expect(closed).toEqual([[0, 10, 63.5]]);
  });

  it('comes back in time where its clock was back for a moment when it looked', () => {
    const { clock, date, closed, trade } = closerFixture();
    date.aheadMs = -600_000;
    trade(10);
    clock.advanceBy(1_000);
    date.aheadMs = 0;
    clock.advanceBy(MINUTE);
    expect(closed).toEqual([[0, 10, 61]]);
  });

  it('closes at once what is told to have ended', () => {
    const { clock, closer, closed, trade } = closerFixture();
    trade(10);
    clock.advanceBy(MINUTE);
    closer.closeUntil(clock.now());
    expect(closed).toEqual([[0, 10, 60]]);
  });

  it('keeps no timer when it is stopped', () => {
    const { clock, closer, trade } = closerFixture();
    trade(10);
    closer.stop();
    expect(clock.nextDueMs).toBeUndefined();
    closer.watch();
    expect(clock.nextDueMs).toBeUndefined();
  });
});
