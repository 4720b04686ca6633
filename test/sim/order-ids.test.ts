import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/kernel/index.ts';
import { OrderIds } from '../../src/sim/order-ids.ts';

const startedAt = (timeMs: number) =>
  new OrderIds({ now: () => timeMs, schedule: () => expect.fail() } as never);

it('OrderIds are eighteen digits where a recording begins within a millisecond', () => {
  const timeMs = Date.UTC(2024, 0, 1, 0, 0, 1) + 0.115;
  const ids = startedAt(timeMs);
  const id = ids.text(1, timeMs);
  expect(id).toBe('202401010000100001');
  expect(ids.ordinal(id)).toBe(1);
});

it('OrderIds grow over midnight, and over a restart at the same time of the next day', () => {
  const startMs = Date.UTC(2024, 0, 1, 20);
  const ids = startedAt(startMs);
  const times = [startMs, startMs + 3 * HOUR_MS, startMs + 5 * HOUR_MS, startMs + DAY_MS - 1];
  const before = times.map((timeMs, at) => ids.text(1_000 * at, timeMs));
  const again = startedAt(startMs + DAY_MS);
  const all = [...before, again.text(1, startMs + DAY_MS)];
  expect(all).toEqual([...all].sort());
  expect(before.map((id) => ids.ordinal(id))).toEqual([0, 1_000, 2_000, 3_000]);
});
