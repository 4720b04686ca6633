import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { HistoryError } from '../../src/history/index.ts';
import { describeRaw, isRawFile, openRaw } from '../../src/history/raw-recording.ts';
import { scratchFile } from '../app/fixture.ts';
import { dataFile } from '../recordings.ts';
import { fileSource, recordsOf, sourceOf } from './fixture.ts';

const TIME = 1_723_161_255_342;

function tradeLine(id: number, price = '61837.63'): string {
  const data = { e: 'trade', E: TIME + 1, s: 'BTCUSDT', t: id, p: price, q: '0.02', T: TIME + id };
  return `1723161254087896568 ${JSON.stringify({ stream: 'btcusdt@trade', data: { ...data, m: true } })}`;
}

const RAW = `${tradeLine(1)}\n${tradeLine(2)}\n`;
const TRADES = [1, 2].map((id) => ({
  ...{ kind: 'trade', id: `${id}`, time: TIME + id, receivedTime: expect.any(Number) },
  ...{ takerSide: 'sell', price: 61_837.63, amount: 0.02 },
}));

describe('isRawFile', () => {
  it('goes by the first line, packed or not', async () => {
    const files = [RAW, gzipSync(RAW), `\n${RAW}`, 'time,price,amount\n', '[[1570752011620]]', ''];
    const found = files.map((content) => isRawFile(scratchFile('recording', content)));
    expect(await Promise.all(found)).toEqual([true, true, true, false, false, false]);
  });
});

describe('openRaw', () => {
  it('reads plain and gzip alike, however the bytes are cut', async () => {
    const packed = gzipSync(RAW);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (chunkBytes) => {
        const options = { name: 'trades' };
        expect(await Array.fromAsync(openRaw(sourceOf(RAW, chunkBytes), options))).toEqual(TRADES);
        expect(await Array.fromAsync(openRaw(sourceOf(packed, chunkBytes), options))).toEqual(
          TRADES,
        );
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('reads one gzip behind the other: a recording that goes on in a second file', async () => {
    const both = Buffer.concat([gzipSync(`${tradeLine(1)}\n`), gzipSync(tradeLine(2))]);
    expect(await recordsOf(both)).toEqual(TRADES);
  });

  it('can be iterated again, as its source can', async () => {
    const recording = openRaw(sourceOf(RAW), { name: 'trades' });
    expect([await Array.fromAsync(recording), await Array.fromAsync(recording)]).toEqual([
      TRADES,
      TRADES,
    ]);
  });

  it('reads no further than it is asked to, and closes its source', async () => {
    for (const pack of [(bytes: Buffer) => bytes, gzipSync]) {
      let chunks = 0;
      let closed = false;
      const endless = async function* (): AsyncGenerator<Uint8Array> {
        try {
          for (; ; chunks++) yield pack(Buffer.from(`${tradeLine(chunks)}\n`.repeat(500)));
        } finally {
          closed = true;
        }
      };
      for await (const record of openRaw(endless(), { name: 'endless' })) {
        if (record.kind === 'trade' && record.id === '10') break;
      }
      await vi.waitFor(() => expect(closed).toBe(true));
      expect(chunks).toBeLessThan(500);
    }
  });
});

describe('openRaw on what it cannot read', () => {
  it('is empty for an empty file', async () => {
    expect(await recordsOf('')).toEqual([]);
  });

  it('names the place of what it cannot read', async () => {
    const reading = recordsOf(`${RAW}\n${tradeLine(3, 'x')}`);
    const message = 'Cannot read recording: file:4: the price is "x", a number is wanted';
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toBeInstanceOf(HistoryError);
  });

  it('tells gzip that is cut off, bytes that are no text and a source that fails', async () => {
    const cut = gzipSync(RAW).subarray(0, -20);
    await expect(recordsOf(cut, 'cut.gz')).rejects.toThrow(
      'Cannot read recording: cut.gz: it breaks off, a whole file is wanted',
    );
    await expect(recordsOf(new Uint8Array([0xff, 0xfe, 0xfd]))).rejects.toThrow('not UTF-8');
    for (const bytes of [Buffer.from(RAW), gzipSync(RAW).subarray(0, -20)]) {
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield bytes;
        throw new Error('the disk is gone');
      };
      const reading = Array.fromAsync(openRaw(failing(), { name: 'x' }));
      await expect(reading).rejects.toThrow('Cannot read recording: x: the disk is gone');
    }
  });
});

describe('describeRaw', () => {
  it('tells market and scales, by the symbol in the records before the name', async () => {
    expect(await describeRaw(sourceOf(RAW), { name: 'ethusdt.gz' })).toEqual({
      ...{ marketId: 'btc_usdt', priceScale: 2, amountScale: 2 },
    });
  });

  const book = dataFile('books/binance-spot/btcusdt_20240808.gz');
  it.skipIf(book === undefined)('tells those of a real one', async () => {
    expect(await describeRaw(fileSource(book!), { name: 'any' })).toMatchObject({
      ...{ marketId: 'btc_usdt', priceScale: 2, amountScale: 6 },
    });
  });
});
