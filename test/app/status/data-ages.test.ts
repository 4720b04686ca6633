import { describe, expect, it } from 'vitest';
import { DataAges } from '../../../src/app/status/data-ages.ts';
import type { Depth } from '../../../src/domain/index.ts';

const level = [[100, 1]] as unknown as Depth['bids'];

function depthAt(receivedTime: number, bids = level): Depth {
  return { market: 'btc_usdt', bids, asks: level, exchangeTime: 0, receivedTime };
}

describe('DataAges', () => {
  it('are those of the newest whole book once data are stale, and 0 while they are fresh', () => {
    const ages = new DataAges();
    const age = (isFresh: boolean, nowMs: number, depth?: Depth) =>
      ages.ageMs('btc_usdt', { isFresh, nowMs, depth });
    expect(age(false, 500)).toBeUndefined();
    expect(age(true, 1_000, depthAt(900))).toBe(0);
    expect(age(false, 9_000, depthAt(2_000))).toBe(7_000);
    expect(age(false, 10_000, depthAt(10_000, []))).toBe(8_000);
    expect(ages.ageMs('eth_usdt', { isFresh: false, nowMs: 1, depth: undefined })).toBeUndefined();
  });
});
