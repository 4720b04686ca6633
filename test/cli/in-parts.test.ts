import { describe, expect, it } from 'vitest';
import { inParts } from '../../src/cli/in-parts.ts';

describe('inParts', () => {
  it('holds all in their order, none of nothing, the last part shorter', () => {
    expect([...inParts([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect([...inParts([1, 2], 2)]).toEqual([[1, 2]]);
    expect([...inParts([], 2)]).toEqual([]);
  });

  it('walks no further than it is asked', () => {
    let walked = 0;
    const endless = (function* () {
      while (true) yield ++walked;
    })();
    inParts(endless, 3).next();
    expect(walked).toBe(3);
  });
});
