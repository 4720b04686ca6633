import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, Store } from '../store/fixture.ts';

/** A file that pandas, pyarrow or polars made: see `feather/make.py`. */
function fixture(name: string): Buffer {
  return readFileSync(new URL(`feather/${name}`, import.meta.url));
}

const T = 1_700_000_040_000;
const CANDLES = [
  [T, 1.1, 3.3, 0.3, 2.2, 10.25],
  [T + 60_000, 2.2, 3.3, 1.1, 2.5, 0.00001],
  [T + 120_000, 0.1, 0.7, 0.1, 0.7, 123456.789],
];
const TRADES = [
  [T, Number.NaN, 100.5, 2, 1],
  [T + 60_000, Number.NaN, 100.4, 3, -1],
  [T + 120_000, Number.NaN, 100.1, 0.1, 1],
];

describe('importFiles, of Feather,', () => {
  it.each<[string, string, string, number[][]]>([
    ['BTC_USDT-1m.feather', 'local.btc_usdt.1min', 'candles as Feather', CANDLES],
    ['BTC_USDT_USDT-1m-mark.feather', 'mark.btc_usdt.1min', 'candles as Feather', CANDLES],
    ['index-btcusdt.feather', 'local.btc_usdt.1min', 'candles as Feather', CANDLES],
    ['polars.arrow', 'local.btc_usdt.1min', 'candles as Feather', CANDLES],
    ['BTC_USDT-trades.feather', 'local.btc_usdt.trades', 'trades as Feather', TRADES],
  ])('recognises %s', async (name, id, format, rows) => {
    const dataset = await datasetOf(name, fixture(name));
    expect(dataset).toMatchObject({ id, sources: [{ name, format }] });
    expect(await rowsOf(dataset)).toEqual(rows);
  });

  it('reads dictionaries, decimals, halved floats and whole numbers as a mapping says', async () => {
    const columns = { time: 'When', open: 'First', high: 'Top', low: 'Bottom', close: 5 };
    const dataset = await datasetOf('odd.feather', fixture('odd.feather'), {
      mapping: { kind: 'candles', market: 'btc_usdt', columns },
    });
    expect(await rowsOf(dataset)).toEqual([
      [T, 1.1, 3.3, 0.3, 2, 0],
      [T + 60_000, 2.2, 3.3, 1.1, 3, 0],
      [T + 120_000, 0.1, 0.7, 0.1, 1, 0],
    ]);
  });

  it('knows a file again that it has', async () => {
    const store = new Store();
    const file = store.file('BTC_USDT-1m.feather', fixture('BTC_USDT-1m.feather'));
    await store.import(file);
    await expect(store.import(file)).rejects.toThrow(/btc_usdt\.1min has it already/);
  });

  it('refuses rates of funding, and says of streams and of version 1 what is wanted', async () => {
    const store = new Store();
    const funding = 'BTC_USDT_USDT-1m-funding_rate.feather';
    await expect(store.import(store.file(funding, fixture(funding)))).rejects.toThrow(
      `Cannot import ${funding}: it holds rates of funding, candles or trades are wanted`,
    );
    const stream = Buffer.from([255, 255, 255, 255, 8, 0, 0, 0]);
    await expect(store.import(store.file('btcusdt.arrow', stream))).rejects.toThrow(
      /it is a stream of Arrow, which may break off unseen, a file \(Feather\) is wanted: `polars/,
    );
    await expect(store.import(store.file('btcusdt.feather', 'FEA1....'))).rejects.toThrow(
      /it is a Feather file of version 1, one of version 2 is wanted: `pandas\.read_feather/,
    );
    expect(store.ids()).toEqual([]);
  });
});

describe('importFiles, of Feather that is damaged,', () => {
  it('says of one that is cut, wherever that is, that it breaks off, and leaves nothing', async () => {
    const store = new Store();
    const whole = fixture('BTC_USDT-1m.feather');
    for (let length = 6; length < whole.length; length += 251) {
      const file = store.file('BTC_USDT-1m.feather', whole.subarray(0, length));
      await expect(store.import(file)).rejects.toThrow(
        'Cannot import BTC_USDT-1m.feather: it breaks off, a whole file is wanted',
      );
    }
    expect(store.ids()).toEqual([]);
  });

  it('says of one whose sums do not fit that it is damaged, and leaves nothing', async () => {
    const store = new Store();
    const bytes = fixture('polars.arrow');
    const frame = bytes.indexOf(Buffer.from([4, 0x22, 0x4d, 0x18]));
    for (const at of [frame + 11, frame + 15, frame + 20]) {
      const file = store.file(
        'btcusdt.arrow',
        bytes.map((byte, place) => byte ^ +(place === at)),
      );
      await expect(store.import(file)).rejects.toThrow(
        'Cannot import btcusdt.arrow: it is damaged, a whole file is wanted',
      );
    }
    expect(store.ids()).toEqual([]);
  });
});
