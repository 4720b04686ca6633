import { describe, expect, it } from 'vitest';
import { strayIn } from '../../src/app/environment.ts';

describe('strayIn', () => {
  it.each([
    ['key\n', 'a line break at an end'],
    ['key\r', 'a line break at an end'],
    ['\n', 'a line break at an end'],
    [' key', 'a blank at an end'],
    ['key\t', 'a blank at an end'],
    ['"key"', 'quotes around it'],
    ["'key'", 'quotes around it'],
  ])('says what stands beside %j', (value, what) => {
    expect(strayIn(value)).toBe(what);
  });

  it.each(['', 'key', 'a key', '"key', `'key"`, '"'])('finds nothing beside %j', (value) => {
    expect(strayIn(value)).toBeUndefined();
  });
});
