import { constants, zstdCompressSync } from 'node:zlib';

/**
 * Of the levels of Zstandard the quickest: the default takes four times as long for a tenth less (a
 * year of equity by the minute).
 */
const QUICK = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** How Parquet is written here; nobody asks the files for a part of their rows. */
export const WRITTEN_PARQUET = {
  statistics: false,
  codec: 'ZSTD',
  compressors: { ZSTD: (input: Uint8Array): Uint8Array => zstdCompressSync(input, QUICK) },
} as const;
