import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unendedLine } from '../../../src/history/formats/last-line.ts';
import { candles, csv, datasetOf, Store, toldOf } from '../store/fixture.ts';

describe('unendedLine', () => {
  it.each([
    ['a\nb\n', undefined],
    ['a\r\nb\r\n', undefined],
    ['a\rb\r', undefined],
    ['a\nb\n\n  ', undefined],
    ['a,b', undefined],
    ['a\nb', 'b'],
    ['a\r\nb,1', 'b,1'],
    [`a\n${'b'.repeat(40)}`, 'b'.repeat(40)],
  ])('of %j is %j', async (text, line) => {
    expect(await unendedLine(new Store().file('x.csv', text))).toBe(line);
  });

  it('looks at the end of a long text', async () => {
    const file = new Store().file('x.csv', `${'a\n'.repeat(100_000)}bc`);
    expect(await unendedLine(file)).toBe('bc');
  });
});

describe('importFiles, of a text that is cut,', () => {
  const whole = csv(candles(0, 5));
  const cut = whole.slice(0, -2);

  it('takes a last row without a line end, and tells it', async () => {
    const store = new Store();
    expect(await store.told(store.file('BTCUSDT.csv', cut))).toEqual([
      'BTCUSDT.csv has no line end behind its last row, which is imported as it stands: ' +
        `"${cut.split('\n').at(-1)}"; if it was cut in a download, import the whole file with --replace`,
    ]);
    expect(await store.told(store.file('BTCUSDT.csv', whole), { overlap: 'replace' })).toEqual([]);
  });

  it('says nothing of a gzip, which breaks off where it is cut', async () => {
    const store = new Store();
    expect(await store.told(store.file('BTCUSDT.csv.gz', gzipSync(cut)))).toEqual([]);
    const broken = store.file('ETHUSDT.csv.gz', gzipSync(whole).subarray(0, -9));
    await expect(store.import(broken)).rejects.toThrow('it breaks off, a whole file is wanted');
  });

  it('tells it of UTF-16', async () => {
    expect(await toldOf('BTCUSDT.csv', Buffer.from(`\ufeff${cut}`, 'utf16le'))).toEqual([
      expect.stringContaining('has no line end behind'),
    ]);
  });

  it('refuses a last row that lacks cells', async () => {
    await expect(datasetOf('BTCUSDT.csv', whole.slice(0, -12))).rejects.toThrow(
      'line 5 has 4 columns, 6 are wanted',
    );
  });
});
