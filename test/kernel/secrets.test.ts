import { describe, expect, it } from 'vitest';
import { writingsOf } from '../../src/kernel/index.ts';

describe('writingsOf', () => {
  it('gives a secret as queries and JSON write it', () => {
    expect(writingsOf(['a b/"c'])).toEqual(['a%20b%2F%22c', 'a+b%2F%22c', 'a b/\\"c', 'a b/"c']);
  });

  it('gives one that all write alike once, the longest of several first', () => {
    expect(writingsOf(['hush', 'hush-hush'])).toEqual(['hush-hush', 'hush']);
  });
});
