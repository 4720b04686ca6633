import { expect, it } from 'vitest';
import { OrderIds } from '../../src/sim/order-ids.ts';

it('OrderIds are eighteen digits where a recording begins within a millisecond', () => {
  const timeMs = Date.UTC(2024, 0, 1, 0, 0, 1) + 0.115;
  const ids = new OrderIds({ now: () => timeMs, schedule: () => expect.fail() } as never);
  const id = ids.text(1, timeMs);
  expect(id).toBe('202401010000100001');
  expect(ids.ordinal(id)).toBe(1);
});
