import { expect, it } from 'vitest';
import { outOfReachText } from '../../../src/execution/heartbeat/out-of-reach.ts';

const firesMs = Date.UTC(2024, 0, 31, 14, 3, 12);
const SILENT = 'neither seen nor changed while the exchange does not answer';

it.each([
  [
    2,
    { isUnanswered: true },
    -1,
    `2 orders rest in btc_usdt, ${SILENT}; the exchange cancels them `,
  ],
  [1, { isUnanswered: false }, -1, '1 order rests in btc_usdt; the exchange cancels them '],
  [2, { isUnanswered: false }, 0, '2 orders rest in btc_usdt; the exchange should have cancelled '],
])('outOfReachText tells of %i orders, %j, %i ms ahead of the end', (orders, how, byMs, text) => {
  const state = { confirmedMs: firesMs - 60_000, lapsedMs: undefined, firesMs, ...how };
  const told = outOfReachText({ market: 'btc_usdt', orders, state, nowMs: firesMs + byMs });
  expect(told).toContain(text);
  expect(told).toContain(' at 14:03:12 UTC');
});

it('outOfReachText says that nobody knows when, where none was confirmed', () => {
  const state = { confirmedMs: undefined, lapsedMs: undefined, firesMs: undefined };
  const all = { market: 'btc_usdt', orders: 3, nowMs: 0, state: { ...state, isUnanswered: true } };
  expect(outOfReachText(all)).toBe(
    `3 orders rest in btc_usdt, ${SILENT}; when the exchange cancels them is not known`,
  );
});
