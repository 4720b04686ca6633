import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withDatabase } from '../../../src/history/store/database.ts';
import { literal } from '../../../src/history/store/sql.ts';
import { candles, csv, datasetOf, json, rowsOf, Store } from './fixture.ts';
import { zipOf } from './zip.ts';

const ROWS = candles(0, 5);
const HEADED = `time,open,high,low,close,volume\n${csv(ROWS)}`;
const RECORDED = `1700000040000000000 {"data":{"e":"trade","E":1700000040000,"T":1700000040000,"s":"BTCUSDT","t":1,"p":"100","q":"2","m":true}}\n`;

const littleEndian = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const bigEndian = (text: string): Buffer => littleEndian(text).swap16();
const marked = (text: string): Buffer => Buffer.from(`\uFEFF${text}`);

describe('importFiles, of texts with a byte order mark,', () => {
  it.each<[string, (text: string) => Uint8Array]>([
    ['UTF-16, little endian', littleEndian],
    ['UTF-16, big endian', bigEndian],
    ['UTF-8', marked],
    ['a gzip of UTF-16', (text) => gzipSync(littleEndian(text))],
    ['a ZIP archive of UTF-16', (text) => zipOf([{ name: 'x', content: bigEndian(text) }])],
  ])('reads %s as it reads UTF-8', async (_what, written) => {
    for (const text of [HEADED, csv(ROWS), json(ROWS), ROWS.map((row) => json(row)).join('\n')]) {
      const dataset = await datasetOf('BTCUSDT', written(text));
      expect(await rowsOf(dataset)).toEqual(ROWS);
    }
    const recorded = await datasetOf('BTCUSDT', written(RECORDED));
    expect(recorded).toMatchObject({ kind: 'depth', rows: 1 });
  });

  it('keeps the name of the file', async () => {
    const dataset = await datasetOf('BTCUSDT.csv.gz', gzipSync(bigEndian(HEADED)));
    expect(dataset.sources).toMatchObject([{ name: 'BTCUSDT.csv.gz' }]);
  });

  it('refuses one that is none', async () => {
    const lone = Buffer.concat([bigEndian(HEADED), Buffer.from([0xd8, 0x00, 0, 65])]);
    await expect(datasetOf('BTCUSDT.csv', lone)).rejects.toThrow(
      'Cannot import BTCUSDT.csv: it is no UTF-16BE though it begins as such, a whole text is wanted',
    );
  });
});

const GZIP = gzipSync(csv(candles(0, 5_000)));

describe('importFiles, of a gzip', () => {
  it('that is whole, gives the rows', async () => {
    expect(await datasetOf('BTCUSDT.csv.gz', GZIP)).toMatchObject({ rows: 5_000 });
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['that breaks off early', GZIP.subarray(0, 40), /it breaks off, a whole file is wanted$/],
    ['that breaks off', GZIP.subarray(0, GZIP.length - 9), /csv\.gz: it breaks off, a whole file/],
    [
      'with other bytes',
      GZIP.map((byte, at) => byte ^ +(at === 9_000)),
      /is a damaged gzip, a whole/,
    ],
    [
      'of far too much',
      gzipSync(Buffer.alloc(100_000_001, 'abc,')),
      /it holds more than 100000000 b/,
    ],
  ])('%s, says so and leaves nothing', async (_what, bytes, message) => {
    const store = new Store();
    await expect(store.import(store.file('BTCUSDT.csv.gz', bytes))).rejects.toThrow(message);
    expect(store.ids()).toEqual([]);
  });
});

/** A file of Parquet whose rows are what a query gives. */
async function parquetOf(store: Store, query: string): Promise<string> {
  const file = store.file('BTCUSDT.parquet', '');
  await withDatabase((database) =>
    database.run(`COPY (${query}) TO ${literal(file)} (FORMAT parquet)`),
  );
  return file;
}

describe('importFiles, of the Parquet of pandas,', () => {
  it.each(['TIMESTAMP', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMPTZ'])(
    'takes an index of %s for the time',
    async (type) => {
      const values = ROWS.map((row) => `(${row.join(', ')})`).join(', ');
      for (const name of ['__index_level_0__', 'Date', 'timestamp']) {
        const store = new Store();
        const time = `make_timestamp((t * 1000)::BIGINT)::${type} AS "${name}"`;
        const file = await parquetOf(
          store,
          `SELECT open, high, low, close, volume, ${time}
           FROM (VALUES ${values}) AS rows (t, open, high, low, close, volume)`,
        );
        expect(await rowsOf(await store.import(file))).toEqual(ROWS);
      }
    },
  );

  it.each<[string, (field: string) => string]>([
    ['field and ticker', (field) => `('${field}', 'ETH-USD')`],
    ['ticker and field', (field) => `('ETH-USD', '${field}')`],
  ])('knows headings of %s for those of yfinance', async (_what, heading) => {
    const store = new Store();
    const cells = ['Open', 'High', 'Low', 'Close', 'Volume'].map(
      (field, at) => `${at + 1} AS "${heading(field)}"`,
    );
    const dates = ['2024-01-01', '2024-01-02'].map((date) => `SELECT DATE '${date}' AS "Date", *`);
    const rows = dates.map((date) => `${date} FROM (SELECT ${cells.join(', ')})`);
    const dataset = await store.import(await parquetOf(store, rows.join(' UNION ALL ')));
    expect(dataset).toMatchObject({ id: 'yahoo.eth_usd.1day', rows: 2 });
  });

  it('refuses times of seven digits, which are a minute off', async () => {
    const store = new Store();
    const prices = '1 AS open, 1 AS high, 1 AS low, 1 AS close';
    const file = await parquetOf(store, `SELECT 1700000040::FLOAT AS time, ${prices}`);
    await expect(store.import(file)).rejects.toThrow(
      'the time (column time) is of the type FLOAT, which holds seven digits, one of integers, ' +
        'DOUBLE or timestamps is wanted',
    );
  });

  it('refuses those of several tickers', async () => {
    const store = new Store();
    const both = `SELECT 1 AS "('Close', 'ETH-USD')", 2 AS "('Close', 'BTC-USD')"`;
    await expect(store.import(await parquetOf(store, both))).rejects.toThrow(
      'BTCUSDT.parquet: it holds ETH-USD, BTC-USD, one market a file is wanted',
    );
  });

  it('says that one with a hole is damaged', async () => {
    const store = new Store();
    const file = await parquetOf(store, 'SELECT range AS t, random() AS price FROM range(9999)');
    const bytes = readFileSync(file);
    const torn = Buffer.concat([bytes.subarray(0, 500), bytes.subarray(900)]);
    await expect(store.import(store.file('ETHUSDT.parquet', torn))).rejects.toThrow(
      'Cannot import ETHUSDT.parquet: it is damaged, a whole file is wanted',
    );
  });
});

describe('importFiles, of files of other programs,', () => {
  it.each<[string, Uint8Array, RegExp]>([
    [
      'a workbook of Excel',
      zipOf([
        { name: '[Content_Types].xml', content: '' },
        { name: 'xl/workbook.xml', content: '' },
      ]),
      /it is a workbook of Excel, its sheet saved as CSV is wanted$/,
    ],
    [
      'UTF-16 without a mark',
      Buffer.from(HEADED, 'utf16le'),
      /it is no text as UTF-8, CSV, JSON, Parquet or Feather is wanted$/,
    ],
  ])('says of %s what it is', async (_what, bytes, message) => {
    await expect(datasetOf('BTC_USDT-1m.x', bytes)).rejects.toThrow(message);
  });
});
