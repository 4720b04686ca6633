declare module 'lz4js' {
  /** Unpacks a block to `at` in `plain`; returns the end of what it wrote. */
  export function decompressBlock(
    packed: Uint8Array,
    plain: Uint8Array,
    from: number,
    bytes: number,
    at: number,
  ): number;
}

declare module 'lz4js/xxh32.js' {
  /** The xxHash-32 of bytes. */
  export function hash(seed: number, bytes: Uint8Array, from: number, length: number): number;
}
