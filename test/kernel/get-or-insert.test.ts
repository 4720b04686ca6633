import { describe, expect, it } from 'vitest';
import { getOrInsert } from '../../src/kernel/index.ts';

describe('getOrInsert', () => {
  it('makes what a map lacks once, and gives what it has', () => {
    const lists = new Map<string, number[]>();
    getOrInsert(lists, 'a', () => []).push(1);
    getOrInsert(lists, 'a', () => expect.unreachable()).push(2);
    getOrInsert(lists, 'b', () => [3]);
    expect(Object.fromEntries(lists)).toEqual({ a: [1, 2], b: [3] });
  });
});
