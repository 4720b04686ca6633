import { hash, type KeyObject } from 'node:crypto';

/** Block length of MD5 in bytes. Source: RFC 2104, 2. */
const BLOCK_BYTES = 64;
/** Length of an MD5 digest in bytes. */
const DIGEST_BYTES = 16;
/** Bytes of text that there is room for at first; longer texts make more. */
const TEXT_BYTES = 1_024;

/**
 * HMAC-MD5 of many texts with one key. Source: RFC 2104.
 *
 * It hashes in one shot over bytes of its own: `createHmac` makes a native object for every text,
 * which costs more than the hashing.
 */
export class HmacMd5 {
  #inner: Buffer;
  readonly #outer: Buffer;

  constructor(key: KeyObject) {
    const bytes = key.export();
    const block = Buffer.alloc(BLOCK_BYTES);
    block.set(bytes.length > BLOCK_BYTES ? hash('md5', bytes, 'buffer') : bytes);
    this.#inner = Buffer.concat([block.map((byte) => byte ^ 0x36), Buffer.alloc(TEXT_BYTES)]);
    this.#outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  }

  /** Lower-case hexadecimal digest of a text in UTF-8. */
  of(text: string): string {
    // No character of UTF-16 takes more than three bytes of UTF-8.
    const room = BLOCK_BYTES + text.length * 3;
    if (room > this.#inner.length) this.#inner = Buffer.concat([this.#inner], room);
    const end = BLOCK_BYTES + this.#inner.write(text, BLOCK_BYTES);
    this.#outer.write(hash('md5', this.#inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    return hash('md5', this.#outer);
  }
}
