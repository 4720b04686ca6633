import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathOf, readQuery } from '../../../../src/venues/zb/server/query.ts';

const invalid = expect.objectContaining({ code: 3005 });

function refusalOf(target: string): unknown {
  try {
    return readQuery(target);
  } catch (error) {
    return error;
  }
}

describe('pathOf', () => {
  it('is the target up to the question mark', () => {
    expect(pathOf('/api/order?a=1?b')).toBe('/api/order');
    expect(pathOf('/api/order')).toBe('/api/order');
  });
});

describe('readQuery', () => {
  it('takes brackets, commas and quotes raw or escaped', () => {
    const pairs = '[[1,"2"]]';
    expect(readQuery(`/?p=${pairs}`).p).toBe(pairs);
    expect(readQuery(`/?p=${encodeURIComponent(pairs)}`).p).toBe(pairs);
  });

  it('reads + and %20 as a space and %2B as a plus', () => {
    expect({ ...readQuery('/?a=1+2&b=1%202&c=1%2B2') }).toEqual({ a: '1 2', b: '1 2', c: '1+2' });
  });

  it('gives a name without = the empty value, and skips empty pieces', () => {
    expect({ ...readQuery('/?&a&&b=&=c&') }).toEqual({ a: '', b: '', '': 'c' });
  });

  it('keeps what follows the first =', () => {
    expect(readQuery('/?a=b=c').a).toBe('b=c');
  });

  it('holds names of Object.prototype like any other', () => {
    expect(readQuery('/').constructor).toBeUndefined();
    expect(Object.entries(readQuery('/?__proto__=x'))).toEqual([['__proto__', 'x']]);
  });

  it.each(['/?a=%', '/?a=%zz', '/?%e5=1', '/?a=%ff', '/?a=备注', '/?a=1&a=1', '/?a=1&%61=2'])(
    'refuses %s',
    (target) => expect(refusalOf(target)).toEqual(invalid),
  );

  it('refuses a target above 16 KiB', () => {
    expect(refusalOf(`/?a=${'x'.repeat(16_384)}`)).toEqual(invalid);
  });

  it('reads back what URLSearchParams and encodeURIComponent write', () => {
    const pairs = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(pairs, (values) => {
        const byComponent = Object.entries(values)
          .map((pair) => pair.map(encodeURIComponent).join('='))
          .join('&');
        const wanted = new Map(Object.entries(values).filter(([name, value]) => name + value));
        for (const query of [byComponent, new URLSearchParams(values).toString()]) {
          const read = new Map(Object.entries(readQuery(`/?${query}`)));
          if (wanted.size === Object.keys(values).length) expect(read).toEqual(wanted);
        }
      }),
      { seed: 1 },
    );
  });
});
