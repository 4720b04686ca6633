import { describe, expect, it } from 'vitest';
import type { Fate } from './exchange-model.ts';
import { createBench, quotes } from './fixture.ts';

/** A bench whose first request to place was stuck for 40 s: too long to be believed in. */
function createStuck(options: { fate?: Fate; pushDelayMs?: number | undefined } = {}) {
  const bench = createBench();
  bench.model.pushDelayMs = 'pushDelayMs' in options ? options.pushDelayMs : 1;
  let placed = 0;
  bench.model.fate = (operation) =>
    operation === 'place' && placed++ === 0 ? { thereMs: 40_000, ...options.fate } : {};
  bench.wish(quotes([[100, 1]]));
  bench.clock.advanceBy(39_000);
  return bench;
}

describe('an order that was stuck until it counted as absent', () => {
  it('was given up and replaced meanwhile', () => {
    const bench = createStuck();
    const [first, second] = bench.drafts.map(({ clientOrderId }) => clientOrderId);
    expect(bench.state(first!)).toMatchObject({ status: 'rejected', reason: 'proven absent' });
    expect(bench.state(second!).status).toBe('open');
  });

  it.each([
    ['a push', { fate: { loss: 'silent' } }],
    ['its late answer', { pushDelayMs: undefined }],
    ['both', {}],
    ['a reading alone', { fate: { loss: 'silent' }, pushDelayMs: undefined }],
  ] as const)('is ours again by %s, and is cancelled as one too many', (_name, options) => {
    const bench = createStuck(options);
    bench.clock.advanceBy(90_000);
    expect(bench.model.orders).toHaveLength(2);
    expect(bench.model.open).toHaveLength(1);
    expect(bench.live().map(({ status }) => status)).toEqual(['open']);
    expect(bench.model.open[0]!.clientOrderId).toBe(bench.live()[0]!.clientOrderId);
    expect(bench.orders.foreign('btc_usdt')).toEqual([]);
  });

  it('brings its fills into the position', () => {
    const bench = createStuck();
    bench.model.onPlaced = () => 0.25;
    bench.clock.advanceBy(10_000);
    expect(bench.positions.position('btc_usdt', 'maker').amount.toNumber()).toBe(0.25);
    expect(bench.live()).toHaveLength(1);
  });
});
