import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/kernel/index.ts';
import { bytesOf, TextBytes } from '../../../src/storage/text/text-bytes.ts';

/** Texts of all kinds of characters, some longer than the first capacity. */
const texts = fc.array(
  fc.record({
    text: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', 'ü', '€', '😀') }),
      fc.integer({ min: 1, max: 3_000 }).map((length) => '€'.repeat(length)),
    ),
    isLine: fc.boolean(),
  }),
);

/** Numbers like prices, amounts, times and sums of them, and any others. */
const numbers = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 22 })).map(([units, scale]) => {
    return units / 10 ** scale;
  }),
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 9 })).map(([units, scale]) => {
    return units / 10 ** scale;
  }),
  fc.constantFrom(0, -0, 0.1 + 0.2, 1e-7, 123e-8, 1e15, 999_999_999, 1e9, 1e21, 2 ** 53),
);

const NO_KEY = bytesOf('');

function written(write: (text: TextBytes) => void): string {
  const text = new TextBytes();
  write(text);
  return text.text;
}

const OTHER = new TextBytes();
OTHER.add('über alles');

describe('TextBytes', () => {
  it('writes numbers as JSON does', () => {
    const property = fc.property(numbers, (value) => {
      expect(written((text) => text.putNumber(NO_KEY, value))).toBe(JSON.stringify(value));
    });
    fc.assert(property, { numRuns: 5_000 });
  });

  it('writes decimals as JSON does', () => {
    const units = fc.oneof(fc.maxSafeInteger(), fc.bigInt());
    const property = fc.property(units, fc.integer({ min: 0, max: 22 }), (whole, scale) => {
      const decimal = new Decimal(whole, scale);
      expect(written((text) => text.putDecimal(NO_KEY, decimal))).toBe(JSON.stringify(decimal));
    });
    fc.assert(property, { numRuns: 5_000 });
  });

  it('quotes texts as JSON does', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('a"b\\c'));
    fc.assert(
      fc.property(text, (quoted) => {
        expect(written((bytes) => bytes.putText(NO_KEY, quoted))).toBe(JSON.stringify(quoted));
      }),
    );
  });

  it('adds what another text has behind a place', () => {
    const bytes = new TextBytes();
    bytes.add('über');
    const from = bytes.length;
    bytes.put(bytesOf(' alles'));
    const copy = new TextBytes();
    copy.putFrom(bytes, from);
    expect(copy.text).toBe(' alles');
    expect(bytes.text).toBe('über alles');
  });

  it.each<[string, (text: TextBytes) => void, string]>([
    [
      'a decimal',
      (text) => text.putDecimal(NO_KEY, new Decimal(-999_999_999_999_999, 15)),
      '"-0.999999999999999"',
    ],
    [
      'a decimal of many places',
      (text) => text.putDecimal(NO_KEY, new Decimal(-3, 22)),
      `"-0.${'0'.repeat(21)}3"`,
    ],
    ['a number', (text) => text.putNumber(NO_KEY, -999_999.999_999_999), '-999999.999999999'],
    ['a text', (text) => text.putText(bytesOf('"a":'), 'quoted'), '"a":"quoted"'],
    ['what another text has', (text) => text.putFrom(OTHER, 2), 'ber alles'],
  ])('makes room for %s, wherever that ends', (_, put, told) => {
    for (let before = 4_060; before <= 4_096; before++) {
      const line = written((text) => {
        text.put(bytesOf('x'.repeat(before)));
        put(text);
      });
      expect(line.slice(before)).toBe(told);
    }
  });

  it('holds what was added since it was cleared last, as UTF-8', () => {
    const bytes = new TextBytes();
    fc.assert(
      fc.property(texts, (added) => {
        bytes.clear();
        let whole = '';
        for (const { text, isLine } of added) {
          if (isLine) bytes.addLine(text);
          else bytes.add(text);
          whole += isLine ? `${text}\n` : text;
        }
        expect(Buffer.from(bytes.bytes).equals(Buffer.from(whole))).toBe(true);
        expect(bytes.length).toBe(Buffer.byteLength(whole));
      }),
    );
  });
});
