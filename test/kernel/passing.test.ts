import { describe, expect, it } from 'vitest';
import { passing } from '../../src/kernel/index.ts';

describe('passing', () => {
  it('names those that pass, by the list itself where all do', () => {
    const list = [1, 2, 3, 4];
    expect(passing(list, (one) => one > 0)).toBe(list);
    expect(passing(list, (one) => one % 2 === 0)).toEqual([2, 4]);
    expect(passing(list, () => false)).toEqual([]);
  });
});
