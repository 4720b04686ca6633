import { describe, expect, it } from 'vitest';
import { lz4Frame } from '../../../../src/history/formats/arrow/lz4-frame.ts';

/** The checksum of `abc`. Source: github.com/Cyan4973/xxHash, which gives 32D153FF. */
const SUM = [0xff, 0x53, 0xd1, 0x32];
/** Nine times an `a`, as a block: one literal, and eight copied from one byte before. */
const NINE = [0x14, 0x61, 1, 0];

/** A frame of blocks whose sizes stand in front of them. */
function frame({ flags = 0x40, blocks }: { flags?: number; blocks: readonly number[] }) {
  const sizeOfContent = (flags & 0x08) === 0 ? [] : [9, 0, 0, 0, 0, 0, 0, 0];
  return Uint8Array.from([4, 0x22, 0x4d, 0x18, flags, 0x40, ...sizeOfContent, 0, ...blocks]);
}

const size = (bytes: number, isPlain = false) => [bytes, 0, 0, isPlain ? 0x80 : 0];
const END = size(0);
const ABC = [0x61, 0x62, 0x63];
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('lz4Frame', () => {
  it.each<[string, Uint8Array, string]>([
    ['a packed block', frame({ blocks: [...size(4), ...NINE, ...END] }), 'a'.repeat(9)],
    ['a plain block', frame({ blocks: [...size(3, true), ...ABC, ...END] }), 'abc'],
    ['nothing', frame({ blocks: END }), ''],
    [
      'the size of it all',
      frame({ flags: 0x48, blocks: [...size(4), ...NINE, ...END] }),
      'a'.repeat(9),
    ],
    [
      'sums of blocks',
      frame({ flags: 0x50, blocks: [...size(3, true), ...ABC, ...SUM, ...END] }),
      'abc',
    ],
    [
      'the sum of all',
      frame({ flags: 0x44, blocks: [...size(3, true), ...ABC, ...END, ...SUM] }),
      'abc',
    ],
    [
      'blocks that lead back into each other',
      frame({ blocks: [...size(3, true), ...ABC, ...size(3), 0x02, 3, 0, ...END] }),
      'abcabcabc',
    ],
  ])('unpacks one with %s', (_what, bytes, text) => {
    expect(textOf(lz4Frame(bytes, text.length))).toBe(text);
  });

  it.each<[string, Uint8Array]>([
    ['of something else', Uint8Array.from([1, 2, 3, 4, 0x40, 0x40, 0, ...END])],
    ['of another version', frame({ flags: 0x80, blocks: END })],
    ['without an end', frame({ blocks: [...size(3, true), ...ABC] })],
    [
      'whose block is longer than all',
      frame({ blocks: [0xff, 0xff, 0xff, 0x7f, ...NINE, ...END] }),
    ],
    ['that holds less', frame({ blocks: [...size(2, true), 0x61, 0x62, ...END] })],
    ['that holds more', frame({ blocks: [...size(4), ...NINE, ...END] })],
    [
      'with another sum of a block',
      frame({ flags: 0x50, blocks: [...size(3, true), 0x61, 0x62, 0x64, ...SUM, ...END] }),
    ],
    [
      'with another sum of all',
      frame({ flags: 0x44, blocks: [...size(3, true), 0x61, 0x62, 0x64, ...END, ...SUM] }),
    ],
  ])('refuses one %s', (_what, bytes) => {
    expect(() => lz4Frame(bytes, 3)).toThrow(RangeError);
  });
});
