import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathOf, readQuery } from '../../../../src/venues/zb/server/query.ts';
import { signedText } from '../../../../src/venues/zb/wire/signing.ts';

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
    expect(pathOf('/api/order/?a=1')).toBe('/api/order');
    expect(pathOf('/')).toBe('/');
  });
});

describe('readQuery', () => {
  it('takes brackets, commas and quotes raw or escaped', () => {
    const pairs = '[[1,"2"]]';
    expect(readQuery(`/?p=${pairs}`).get('p')).toBe(pairs);
    expect(readQuery(`/?p=${encodeURIComponent(pairs)}`).get('p')).toBe(pairs);
  });

  it('reads + and %20 as a space and %2B as a plus', () => {
    const query = readQuery('/?a=1+2&b=1%202&c=1%2B2');
    expect(['a', 'b', 'c'].map((name) => query.get(name))).toEqual(['1 2', '1 2', '1+2']);
  });

  it('gives a name without = the empty value, and skips empty pieces', () => {
    const query = readQuery('/?&a&&b=&=c&');
    expect(['a', 'b', '', 'c'].map((name) => query.get(name))).toEqual(['', '', 'c', undefined]);
  });

  it('keeps what follows the first =', () => {
    expect(readQuery('/?a=b=c').get('a')).toBe('b=c');
  });

  it('holds names of Object.prototype like any other', () => {
    expect(readQuery('/').get('constructor')).toBeUndefined();
    expect(readQuery('/?__proto__=x').get('__proto__')).toBe('x');
    expect(signedText(Object.fromEntries(readQuery('/?b=1&__proto__=x')))).toBe('__proto__=x&b=1');
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
        const wanted = Object.entries(values).filter(([name, value]) => name + value);
        for (const query of [byComponent, new URLSearchParams(values).toString()]) {
          const read = readQuery(`/?${query}`);
          for (const [name, value] of wanted) expect(read.get(name)).toBe(value);
        }
      }),
      { seed: 1 },
    );
  });

  it('holds as many parameters as come, each once', () => {
    const names = Array.from({ length: 50 }, (_, at) => `p${at}`);
    const query = names.map((name) => `${name}=of-${name}`).join('&');
    expect([...readQuery(`/?${query}`)]).toEqual(names.map((name) => [name, `of-${name}`]));
    for (const name of ['p0', 'p49']) expect(refusalOf(`/?${query}&${name}=2`)).toEqual(invalid);
  });
});
