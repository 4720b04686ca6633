import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type ByteSource, plainBytes } from '../../src/history/bytes.ts';
import { sourceOf } from './fixture.ts';

const TEXT = 'time,price,amount\n1,2,3\n'.repeat(20);

async function plainOf(source: ByteSource): Promise<string> {
  return Buffer.concat(await Array.fromAsync(plainBytes(source))).toString();
}

describe('plainBytes', () => {
  it('reads plain and gzip alike, however the bytes are cut', async () => {
    const packed = gzipSync(TEXT);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (chunkBytes) => {
        expect(await plainOf(sourceOf(TEXT, chunkBytes))).toBe(TEXT);
        expect(await plainOf(sourceOf(packed, chunkBytes))).toBe(TEXT);
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('is nothing of nothing', async () => {
    expect(await plainOf(sourceOf(''))).toBe('');
  });

  it('reads one gzip behind the other: a recording that goes on in a second file', async () => {
    const both = Buffer.concat([gzipSync(TEXT), gzipSync('4,5,6')]);
    expect(await plainOf(sourceOf(both))).toBe(`${TEXT}4,5,6`);
  });

  it('reads no further than it is asked to, and closes its source', async () => {
    for (const pack of [(bytes: Buffer) => bytes, gzipSync]) {
      let chunks = 0;
      let closed = false;
      const endless = async function* (): AsyncGenerator<Uint8Array> {
        try {
          for (; ; chunks++) yield pack(Buffer.from(`${chunks} ${TEXT}`.repeat(50)));
        } finally {
          closed = true;
        }
      };
      for await (const chunk of plainBytes(endless())) {
        if (Buffer.from(chunk).includes('10 time')) break;
      }
      await vi.waitFor(() => expect(closed).toBe(true));
      expect(chunks).toBeLessThan(500);
    }
  });

  it('tells gzip that is cut off, and a source that fails', async () => {
    const cut = gzipSync(TEXT).subarray(0, -20);
    await expect(plainOf(sourceOf(cut))).rejects.toThrow('it breaks off, a whole file is wanted');
    for (const bytes of [Buffer.from(TEXT), cut]) {
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield bytes;
        throw new Error('the disk is gone');
      };
      await expect(plainOf(failing())).rejects.toThrow('the disk is gone');
    }
  });
});
