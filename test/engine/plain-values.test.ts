import { describe, expect, it } from 'vitest';
import { plainOf } from '../../src/engine/plain-values.ts';
import { Decimal } from '../../src/kernel/index.ts';

describe('plainOf', () => {
  it.each([
    ['a map', new Map([[1, 2]]), { 1: 2 }],
    ['a map by decimals', new Map([[Decimal.of('0.5'), 'a']]), { '0.5': 'a' }],
    ['a map by objects', new Map([[{ id: 1 }, 2]]), [[{ id: 1 }, 2]]],
    ['a set', new Set(['a', new Set([1n])]), ['a', ['1']]],
    ['a decimal', [Decimal.of('0.10')], ['0.1']],
    ['a big integer', { n: 10n }, { n: '10' }],
    ['no number', [Number.NaN, Number.POSITIVE_INFINITY], ['NaN', 'Infinity']],
    ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    [
      'an error',
      { deep: { error: new Error('no') } },
      { deep: { error: expect.stringMatching(/^no/) } },
    ],
    [
      'a plain value',
      { a: [1, 'b', null, undefined, true] },
      { a: [1, 'b', null, undefined, true] },
    ],
  ])('tells %s', (_what, value, plain) => {
    expect(plainOf(value)).toEqual(plain);
  });

  it('tells what links back to itself, and what is only met twice', () => {
    const shared = { id: 1 };
    const ring: Record<string, unknown> = { a: shared, b: shared };
    ring.self = ring;
    expect(plainOf(ring)).toEqual({ a: { id: 1 }, b: { id: 1 }, self: '[Circular]' });
    const map = new Map<string, unknown>();
    map.set('me', map);
    expect(plainOf(map)).toEqual({ me: '[Circular]' });
  });

  it('leaves out what lies too deep', () => {
    let list: object = {};
    for (let at = 0; at < 10_000; at++) list = { next: list };
    expect(JSON.stringify(plainOf(list))).toBe(`${'{"next":'.repeat(6)}"[Object]"${'}'.repeat(6)}`);
  });
});
