import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextBytes } from '../../src/storage/text-bytes.ts';

/** Texts of all kinds of characters, some longer than the first room. */
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

describe('TextBytes', () => {
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
