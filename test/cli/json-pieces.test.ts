import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from '../../src/cli/json-pieces.ts';
import { Decimal } from '../../src/kernel/index.ts';

describe('jsonPieces', () => {
  it('are the document as JSON.stringify has it', () => {
    const documents = [
      { journal: 'a\nb', none: undefined, empty: {}, list: [], sum: Decimal.of('1.5'), no: null },
      { events: [{ a: [1, { b: 'x\ny' }], n: Number.NaN }, undefined, 5], page: 1 },
      [{ a: 1 }, [2, 3]],
      [],
      'text',
    ];
    for (const document of documents) {
      expect([...jsonPieces(document)].join('')).toBe(`${JSON.stringify(document, null, 2)}\n`);
    }
    const values = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue());
    fc.assert(
      fc.property(values, (document) => {
        expect([...jsonPieces(document)].join('')).toBe(`${JSON.stringify(document, null, 2)}\n`);
      }),
      { seed: 7 },
    );
  });

  it('escape what a terminal takes for more than a sign', () => {
    const document = { note: ['\u009b2J', '\u202e'] };
    const text = [...jsonPieces(document)].join('');
    expect(text).toContain('"\\u009b2J"');
    expect(JSON.parse(text)).toEqual(document);
  });

  it('are of what can be walked through a list, an empty one where there is nothing', () => {
    const walk = function* (...values: number[]) {
      yield* values;
    };
    const lists = { some: [1, 2], none: [] };
    const walked = { some: walk(1, 2), none: walk() };
    expect([...jsonPieces(walked)].join('')).toBe(`${JSON.stringify(lists, null, 2)}\n`);
  });

  it('are never much longer than a million characters', () => {
    const events = new Array(30_000).fill({ text: 'x'.repeat(100) });
    const lengths = Array.from(jsonPieces({ events }), ({ length }) => length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(lengths.every((length) => length < 1_001_000)).toBe(true);
  });
});
