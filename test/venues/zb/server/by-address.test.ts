import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByAddress } from '../../../../src/venues/zb/server/by-address.ts';

const SILENT_MS = 1_000;

/** Keeps the time of each address's last call, and counts how often one was checked for silence. */
function heard() {
  let asked = 0;
  const addresses = new ByAddress(
    () => ({ lastMs: 0 }),
    ({ lastMs }, nowMs) => {
      asked++;
      return lastMs <= nowMs - SILENT_MS;
    },
  );
  const hear = (address: string, nowMs: number) => {
    addresses.of(address, nowMs).lastMs = nowMs;
  };
  return { addresses, hear, asked: () => asked };
}

describe('ByAddress', () => {
  it('keeps one thing an address, and nothing of those that never came', () => {
    const { addresses } = heard();
    const kept = addresses.of('a', 0);
    expect([addresses.of('a', 5) === kept, addresses.get('a') === kept]).toEqual([true, true]);
    expect([addresses.get('b'), addresses.size]).toEqual([undefined, 1]);
    expect([...addresses]).toEqual([['a', kept]]);
  });

  it('keeps about twice as many as speak, and asks each new one for a few of the old', () => {
    const { addresses, hear, asked } = heard();
    let most = 0;
    for (let at = 0; at < 200_000; at++) {
      hear(`a${at}`, at);
      most = Math.max(most, addresses.size);
    }
    expect(most).toBeLessThanOrEqual(2 * SILENT_MS);
    expect(asked()).toBeLessThan(3 * 200_000);
  });

  it('asks few times as well where all speak at once', () => {
    const { addresses, hear, asked } = heard();
    for (let at = 0; at < 100_000; at++) hear(`a${at}`, 7);
    expect(addresses.size).toBe(100_000);
    expect(asked()).toBeLessThan(2 * 100_000);
    for (let at = 0; at < 100_000; at++) hear(`b${at}`, 7 + SILENT_MS + at);
    expect(addresses.size).toBeLessThan(5_000);
  });

  it('forgets none that spoke lately', () => {
    const steps = fc.array(fc.tuple(fc.nat(3_000), fc.nat(2)), {
      minLength: 4_000,
      maxLength: 6_000,
    });
    fc.assert(
      fc.property(steps, (words) => {
        const { addresses, hear } = heard();
        const last = new Map<string, number>();
        let now = 0;
        for (const [who, gapMs] of words) {
          now += gapMs;
          hear(`a${who}`, now);
          last.set(`a${who}`, now);
        }
        const lately = [...last].filter(([, lastMs]) => lastMs > now - SILENT_MS);
        const told = lately.map(([who]) => [who, addresses.get(who)?.lastMs]);
        expect(told).toEqual(lately);
      }),
      { seed: 11, numRuns: 20 },
    );
  });
});
