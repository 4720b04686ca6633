import { hash, type KeyObject } from 'node:crypto';
import { BLOCK_WORDS, DIGEST_WORDS, MD5_START, takeBlock } from './md5.ts';

/** Block length of MD5 in bytes. Source: RFC 2104, 2. */
const BLOCK_BYTES = 64;
/** The byte after the last one of a message. Source: RFC 1321, 3.1. */
const END = 0x80;
/** Where the last block has the length of the message, in words. Source: RFC 1321, 3.2. */
const LENGTH_AT = 14;
/** Each byte in hexadecimal. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Characters below this are one byte of UTF-8. */
const ASCII_END = 0x80;

/**
 * HMAC-MD5 of many texts with one key. Source: RFC 2104.
 *
 * Computed here: a native hash makes objects for every text and runs through a library, which takes
 * three times as long when the processor's caches are cold, as they are when a tick comes. What
 * depends on the key alone is computed once.
 */
export class HmacMd5 {
  readonly #inner: Int32Array;
  readonly #outer: Int32Array;
  readonly #state = new Int32Array(DIGEST_WORDS);
  readonly #words = new Int32Array(BLOCK_WORDS);

  constructor(key: KeyObject) {
    const bytes = key.export();
    const block = Buffer.alloc(BLOCK_BYTES);
    block.set(bytes.length > BLOCK_BYTES ? hash('md5', bytes, 'buffer') : bytes);
    this.#inner = stateAfter(block.map((byte) => byte ^ 0x36));
    this.#outer = stateAfter(block.map((byte) => byte ^ 0x5c));
  }

  /** Lower-case hexadecimal digest of a text in UTF-8. */
  of(text: string): string {
    const isAscii = this.#takeInner(text) < ASCII_END;
    if (!isAscii) this.#takeInner(Buffer.from(text).toString('latin1'));
    const state = this.#state;
    const words = this.#words;
    for (let at = 0; at < DIGEST_WORDS; at++) words[at] = state[at]!;
    words[DIGEST_WORDS] = END;
    for (let at = DIGEST_WORDS + 1; at < BLOCK_WORDS; at++) words[at] = 0;
    words[LENGTH_AT] = 8 * (BLOCK_BYTES + 4 * DIGEST_WORDS);
    copy(this.#outer, state);
    takeBlock(state, words);
    return hexOf(state);
  }

  /**
   * Brings the state to the inner digest of bytes, one per character; returns the OR of them all.
   */
  #takeInner(bytes: string): number {
    const state = this.#state;
    const words = this.#words;
    const { length } = bytes;
    copy(this.#inner, state);
    let all = 0;
    let word = 0;
    for (let at = 0; at < length; at++) {
      const byte = bytes.charCodeAt(at);
      all |= byte;
      word |= byte << ((at & 3) << 3);
      if ((at & 3) < 3) continue;
      words[(at >> 2) & 15] = word;
      word = 0;
      if ((at & 63) === 63) takeBlock(state, words);
    }
    let next = (length >> 2) & 15;
    words[next++] = word | (END << ((length & 3) << 3));
    if (next > LENGTH_AT) {
      while (next < BLOCK_WORDS) words[next++] = 0;
      takeBlock(state, words);
      next = 0;
    }
    while (next < BLOCK_WORDS) words[next++] = 0;
    words[LENGTH_AT] = 8 * (BLOCK_BYTES + length);
    takeBlock(state, words);
    return all;
  }
}

function copy(from: Int32Array, to: Int32Array): void {
  for (let at = 0; at < DIGEST_WORDS; at++) to[at] = from[at]!;
}

function stateAfter({ buffer, byteOffset }: Uint8Array): Int32Array {
  const state = Int32Array.from(MD5_START);
  const block = new DataView(buffer, byteOffset);
  const words = Int32Array.from({ length: BLOCK_WORDS }, (_, at) => block.getInt32(4 * at, true));
  takeBlock(state, words);
  return state;
}

/** Four words, least byte first, in 32 digits. */
function hexOf(words: Int32Array): string {
  let text = '';
  for (let at = 0; at < DIGEST_WORDS; at++) {
    const word = words[at]!;
    for (let bit = 0; bit < 32; bit += 8) text += BYTES[(word >> bit) & 0xff]!;
  }
  return text;
}
