import { zstdDecompressSync } from 'node:zlib';
import { type Codec, CompressionType, setCompressionCodec } from '@uwdata/flechette';
import { lz4Frame } from './lz4-frame.ts';

/** Gives the library the decompressors for Arrow. */
export function useCodecs(): void {
  setCompressionCodec(CompressionType.LZ4_FRAME, reading(lz4Frame));
  setCompressionCodec(CompressionType.ZSTD, reading(unzstd));
}

function reading(decode: Codec['decode']): Codec {
  const encode = (): never => {
    throw new TypeError('Arrow is to be packed, only unpacking is wanted');
  };
  return { encode, decode };
}

function unzstd(packed: Uint8Array, plainBytes: number): Uint8Array {
  const plain = zstdDecompressSync(packed, { maxOutputLength: Math.max(plainBytes, 1) });
  if (plain.length !== plainBytes) {
    throw new RangeError(`${plain.length} bytes were packed, ${plainBytes} are wanted`);
  }
  // Numbers of eight bytes are read in place, and begin at a multiple of eight.
  return plain.byteOffset % 8 === 0 ? plain : Uint8Array.from(plain);
}
