/** Words of 32 bits in a block. Source: RFC 1321, 3.4. */
export const BLOCK_WORDS = 16;

/** Words of a digest. Source: RFC 1321, 3.5. */
export const DIGEST_WORDS = 4;

/** The state before the first block. Source: RFC 1321, 3.3. */
export const MD5_START: readonly number[] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/** The 64 numbers computed from the sine. Source: RFC 1321, 3.4. */
const SINES = Int32Array.from({ length: 64 }, (_, at) => 2 ** 32 * Math.abs(Math.sin(at + 1)));

/**
 * The bits of rotation in each of the four rounds of 16 steps, repeating every four steps.
 * Source: ibidem.
 */
const TURNS = Int32Array.of(7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21);

/**
 * Takes one block of 16 words, least byte first, into a state of four. Source: RFC 1321, 3.4.
 *
 * A loop of 64 steps, not unrolled: signing is rare enough that its code has left the processor's
 * caches each time, and short code is loaded sooner.
 */
export function takeBlock(state: Int32Array, words: Int32Array): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  for (let step = 0; step < 64; step++) {
    const round = step >> 4;
    let mixed: number;
    let at: number;
    if (round === 0) {
      mixed = (b & c) | (~b & d);
      at = step;
    } else if (round === 1) {
      mixed = (d & b) | (~d & c);
      at = 5 * step + 1;
    } else if (round === 2) {
      mixed = b ^ c ^ d;
      at = 3 * step + 5;
    } else {
      mixed = c ^ (b | ~d);
      at = 7 * step;
    }
    const sum = (a + mixed + SINES[step]! + words[at & 15]!) | 0;
    const turn = TURNS[(round << 2) | (step & 3)]!;
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0;
  }
  state[0] = state[0]! + a;
  state[1] = state[1]! + b;
  state[2] = state[2]! + c;
  state[3] = state[3]! + d;
}
