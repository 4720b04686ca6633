import { describe, expect, it } from 'vitest';
import { fillText } from '../../../src/app/log/fill-text.ts';
import { scriptedFill } from '../../../src/strategy/index.ts';

describe('fillText', () => {
  it.each([
    ['buy', 'sold', 'bought'],
    ['sell', 'bought', 'sold'],
  ] as const)('says of a %s what was done, at a price without its noise', (side, no, did) => {
    const { fill } = scriptedFill({ time: 0, side, price: 100, amount: 0.5 });
    const text = fillText({ ...fill, strategy: 'mine', price: 60012.49999999 });
    expect(text).toBe(`mine ${did} 0.5 in btc_usdt at 60012.5`);
    expect(text).not.toContain(no);
  });
});
