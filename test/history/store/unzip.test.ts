import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dataFile } from '../../recordings.ts';
import { candles, csv, datasetOf, json, rowsOf, Store } from './fixture.ts';
import { zipOf } from './zip.ts';

const ROWS = json(candles(0, 5));

describe('importFiles, of a ZIP archive,', () => {
  it('imports the file in it as if it lay there unpacked', async () => {
    const store = new Store();
    const name = 'BTCUSDT-1m-2024-01.csv';
    const file = store.file(
      'BTCUSDT-1m-2024-01.zip',
      zipOf([{ name, content: csv(candles(0, 5)) }]),
    );
    const dataset = await store.import(file);
    expect(await rowsOf(dataset)).toEqual(candles(0, 5));
    expect(dataset.sources).toMatchObject([{ name, rows: 5 }]);
    await expect(store.import(store.file(name, csv(candles(0, 5))))).rejects.toThrow(
      'has it already',
    );
    expect(readdirSync(store.root).filter((entry) => entry.startsWith('.tradewind'))).toEqual([]);
  });

  it('goes by the name of the archive where that of the file tells no market', async () => {
    const archive = zipOf([
      { name: '__MACOSX/._data.json', content: 'x' },
      { name: 'folder/', content: '' },
      { name: 'folder/data.json', content: ROWS },
    ]);
    const dataset = await datasetOf('eth_usdt.zip', archive);
    expect(dataset).toMatchObject({ market: 'eth_usdt', rows: 5 });
  });

  it('reads a gzip in it, and several archives at once', async () => {
    const store = new Store();
    const of = (from: number) =>
      zipOf([{ name: 'BTC_USDT.json.gz', content: gzipSync(json(candles(from, from + 3))) }]);
    const files = [store.file('1.zip', of(0)), store.file('2.zip', of(3))];
    expect(await store.import(files)).toMatchObject({ rows: 6 });
  });

  it('takes rows beside which a text of the same name tells of them', async () => {
    const names = ['BTC_USDT.TXT', 'BTC_USDT.csv'];
    const [told, rows] = ['Gap of 90s found', csv(candles(0, 5))];
    const archive = zipOf(names.map((name, at) => ({ name, content: at === 0 ? told : rows })));
    expect(await datasetOf('some.zip', archive)).toMatchObject({ rows: 5 });
  });

  const real = dataFile('vendor/binance-vision-klines-ADABTC-1m.csv');
  it.skipIf(real === undefined)('reads what `zip` writes', async () => {
    const store = new Store();
    const file = join(store.root, 'ADABTC-1m.zip');
    execFileSync('zip', ['-q', '-j', file, real!]);
    expect((await store.import(file)).rows).toBeGreaterThan(0);
  });
});

describe('importFiles, of a ZIP archive that it does not take,', () => {
  it.each<[string, Buffer, RegExp]>([
    [
      'a way out of its folder',
      zipOf([{ name: '../../BTC_USDT.json', content: ROWS }]),
      /BTCUSDT\.zip: the file in it would lie outside of its folder, one within is wanted$/,
    ],
    [
      'a text that is named otherwise',
      zipOf(['a.csv', 'b.txt'].map((name) => ({ name, content: ROWS }))),
      /BTCUSDT\.zip: the archive holds several files \(a\.csv, b\.txt\)/,
    ],
    [
      'several files',
      zipOf(['a.csv', 'b.csv', 'c.csv', 'd.csv'].map((name) => ({ name, content: ROWS }))),
      /BTCUSDT\.zip: the archive holds several files \(a\.csv, b\.csv, c\.csv, \.\.\.\)/,
    ],
    ['no file', zipOf([]), /the archive is empty, one file in it is wanted/],
    [
      'a bomb',
      zipOf([{ name: 'bomb.csv', content: ROWS, lies: { size: 4_000_000_000 } }]),
      /bomb\.csv in it is \d+ times as big as its packed form/,
    ],
    [
      'a file that is bigger than the archive says',
      zipOf([{ name: 'BTC_USDT.json', content: ROWS, lies: { size: 10 } }]),
      /BTCUSDT\.zip: it is damaged, an archive that is whole is wanted$/,
    ],
    [
      'a file that is damaged',
      zipOf([{ name: 'BTC_USDT.json', content: ROWS, lies: { crc: 7 } }]),
      /BTC_USDT\.json in it is damaged/,
    ],
    [
      'an encrypted file',
      zipOf([{ name: 'BTC_USDT.json', content: ROWS, lies: { flags: 1 } }]),
      /BTC_USDT\.json in it is encrypted/,
    ],
    [
      'a cut archive',
      zipOf([{ name: 'BTC_USDT.json', content: ROWS }]).subarray(0, 80),
      /BTCUSDT\.zip: it breaks off, a whole archive is wanted$/,
    ],
    [
      'an archive in it',
      zipOf([{ name: 'BTC_USDT.zip', content: zipOf([{ name: 'a.json', content: ROWS }]) }]),
      /a ZIP archive in another one/,
    ],
  ])('refuses %s and leaves nothing', async (_what, archive, message) => {
    const store = new Store();
    await expect(store.import(store.file('BTCUSDT.zip', archive))).rejects.toThrow(message);
    expect(store.ids()).toEqual([]);
    expect(readdirSync(store.root)).toEqual(['.files']);
  });
});
