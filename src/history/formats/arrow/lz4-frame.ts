import { decompressBlock } from 'lz4js';
import { hash } from 'lz4js/xxh32.js';

/** First bytes of a frame. Source: github.com/lz4/lz4, doc/lz4_Frame_format.md, as all below. */
const MAGIC = 0x184d2204;
/** The bits of the byte of flags behind the magic number. */
const FLAGS = { version: 0xc0, blockSums: 0x10, contentSize: 0x08, contentSum: 0x04, other: 0x03 };
const VERSION = 0x40;
/** The highest bit of a block's size: its bytes are not packed. */
const PLAIN = 0x80000000;

/**
 * Unpacks an LZ4 frame whose unpacked size is known. It walks the blocks itself: the library trusts
 * every size in a frame, reads on for minutes behind a wrong one, and looks for the checksums of
 * blocks, which polars writes, in the wrong place.
 *
 * @throws {RangeError} when sizes or checksums are not as the frame says.
 */
export function lz4Frame(packed: Uint8Array, plainBytes: number): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const flags = view.getUint8(4);
  const isKnown = (flags & FLAGS.version) === VERSION && (flags & FLAGS.other) === 0;
  hold(view.getUint32(0, true) === MAGIC && isKnown);
  const plain = new Uint8Array(plainBytes);
  let [at, length] = [(flags & FLAGS.contentSize) === 0 ? 7 : 15, 0];
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    const bytes = (size & ~PLAIN) >>> 0;
    hold(at + bytes <= packed.length);
    if ((size & PLAIN) === 0) length = decompressBlock(packed, plain, at, bytes, length);
    else {
      hold(length + bytes <= plainBytes);
      plain.set(packed.subarray(at, at + bytes), length);
      length += bytes;
    }
    hold(length <= plainBytes);
    at += bytes;
    if ((flags & FLAGS.blockSums) === 0) continue;
    hold(view.getUint32(at, true) === hash(0, packed, at - bytes, bytes));
    at += 4;
  }
  hold(length === plainBytes);
  if ((flags & FLAGS.contentSum) !== 0 && (flags & FLAGS.blockSums) === 0) {
    hold(view.getUint32(at, true) === hash(0, plain, 0, plainBytes));
  }
  return plain;
}

function hold(isSo: boolean): void {
  if (!isSo) throw new RangeError('a frame of LZ4 is damaged, a whole one is wanted');
}
