import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../src/domain/index.ts';
import { Horizon } from '../../src/execution/horizon.ts';
import { VirtualClock } from '../../src/kernel/index.ts';

const placedAt = (exchangeTime: number) => ({ exchangeTime }) as OrderRecord;

/** A horizon on a machine whose date can be set. */
function horizonFixture() {
  const time = new VirtualClock(1_700_000_000_000);
  const date = { aheadMs: 0 };
  const clock = {
    now: () => time.now() + date.aheadMs,
    elapsedMs: () => time.now(),
    schedule: time.schedule.bind(time),
  };
  return { time, date, horizon: new Horizon(clock) };
}

describe('Horizon', () => {
  it('is nowhere before an order was heard of', () => {
    const { horizon } = horizonFixture();
    expect(horizon.time).toBeUndefined();
    horizon.hear([]);
    expect(horizon.time).toBeUndefined();
  });

  it('goes on from the newest order with elapsed time, a little slower, and not with the date', () => {
    const { time, date, horizon } = horizonFixture();
    horizon.hear([placedAt(5_000), placedAt(9_000), placedAt(7_000)]);
    expect(horizon.time).toBe(9_000);
    date.aheadMs = 600_000;
    time.advanceBy(10_000);
    expect(horizon.time).toBe(18_990);
  });

  it('is set forth by a newer order, and never back', () => {
    const { time, horizon } = horizonFixture();
    horizon.hear([placedAt(9_000)]);
    time.advanceBy(10_000);
    horizon.hear([placedAt(12_000)]);
    expect(horizon.time).toBe(18_990);
    horizon.hear([placedAt(20_000)]);
    expect(horizon.time).toBe(20_000);
  });
});
