import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRawMessage } from '../../src/history/raw.ts';
import { RawScanner } from '../../src/history/raw-scan.ts';

const STAMP = '1723161254087896568 ';
const scanner = new RawScanner();

const scan = (message: string) => {
  const receivedTime = 1_723_161_254_087.8965;
  return scanner.scan(STAMP + message, { at: STAMP.length, receivedTime });
};

/** The message as JSON.parse reads it: a blank in it is nothing that the scanner knows. */
function oracle(message: string): unknown {
  try {
    const { receivedTime: _, ...read } = readRawMessage(
      `${STAMP}${message.replace('{', '{ ')}`,
    ) as {
      receivedTime?: number;
    };
    return read;
  } catch {
    return 'broken';
  }
}

const decimal = fc
  .tuple(
    fc.oneof(
      { weight: 60, arbitrary: fc.nat(9_999_999) },
      { weight: 1, arbitrary: fc.nat(9_999_999_999) },
    ),
    fc.option(fc.nat(99_999_999), { nil: undefined }),
    fc.nat(7),
  )
  .map(
    ([whole, places, zeros]) =>
      `${whole}${places === undefined ? '' : `.${places}`.padEnd(zeros, '0')}`,
  );
const levels = fc
  .array(fc.tuple(decimal, decimal), { maxLength: 5 })
  .map((pairs) => JSON.stringify(pairs));
const whole = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 9_999_999_999_999 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9_007_199_254_740_991 }) },
);
const time = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1.6e12, max: 1.8e12 }) },
  fc.integer({ min: 1e11, max: 1e14 - 1 }),
  fc.constantFrom(1_723_161_255, 17e14),
);

const diff = fc
  .tuple(fc.boolean(), time, whole, whole, levels, levels)
  .map(([isFutures, at, first, last, bids, asks]) => {
    const stamps = isFutures ? `"E":${at},"T":${at - 1}` : `"E":${at}`;
    const ids = `"U":${first},"u":${last}${isFutures ? `,"pu":${first - 1}` : ''}`;
    return `{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate",${stamps},"s":"BTCUSDT",${ids},"b":${bids},"a":${asks}}}`;
  });
const trade = fc
  .tuple(fc.boolean(), fc.boolean(), time, whole, decimal, decimal)
  .map(([isFutures, isMaker, at, id, price, amount]) => {
    const what = `"s":"BTCUSDT","t":${id},"p":"${price}","q":"${amount}"`;
    const data = isFutures
      ? `"E":${at},"T":${at - 2},${what},"X":"MARKET","m":${isMaker}`
      : `"E":${at},${what},"T":${at - 2},"m":${isMaker},"M":true`;
    return `{"stream":"btcusdt@trade","data":{"e":"trade",${data}}}`;
  });

describe('RawScanner', () => {
  it('reads diffs and trades as JSON.parse does, or leaves them to it', () => {
    const scanned = { diff: 0, trade: 0 };
    fc.assert(
      fc.property(fc.oneof(diff, trade), (message) => {
        const found = scan(message);
        if (found === undefined) return;
        scanned[found.kind]++;
        expect(found).toEqual(oracle(message));
      }),
      { numRuns: 3_000, seed: 11 },
    );
    expect(Math.min(scanned.diff, scanned.trade)).toBeGreaterThan(500);
  });

  it('never reads a message that a slip has changed otherwise than JSON.parse', () => {
    const slip = fc.tuple(
      fc.oneof(diff, trade),
      fc.nat(400),
      fc.nat(3),
      fc.constantFrom('', '0', '"', ',', '.', ']', '[', '}', '-', 'x', ' ', '\\'),
    );
    fc.assert(
      fc.property(slip, ([message, place, taken, put]) => {
        const at = place % message.length;
        const changed = message.slice(0, at) + put + message.slice(at + taken);
        const found = scan(changed);
        if (found !== undefined) expect(found).toEqual(oracle(changed));
      }),
      { numRuns: 6_000, seed: 12 },
    );
  });

  it('leaves what it does not know', () => {
    for (const message of [
      '{"lastUpdateId":1,"bids":[],"asks":[]}',
      '{"e":"trade","E":1723161255343}',
      '{"stream":"btcusdt@bookTicker","data":{"u":8,"s":"BTCUSDT"}}',
      '',
    ]) {
      expect(scan(message)).toBeUndefined();
    }
  });
});
