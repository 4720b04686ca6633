import { describe, expect, it, onTestFinished } from 'vitest';
import { DatasetWriter, resample } from '../../../src/history/index.ts';
import { candle, candles, csv, json, MINUTE_MS, rowsOf, START, Store } from './fixture.ts';

const HEADING =
  'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n';
const wide = (from: number, to: number) =>
  csv(candles(from, to).map((row) => [...row, row[0] + 59_999, 1, 1, 1, 1, 0]));
/** Klines of spot in microseconds, of futures with their heading, and such as may be either. */
const SPOT = (from: number, to: number) => wide(from, to).replaceAll(/^\d{13}/gm, '$&000');
const FUTURES = (from: number, to: number) => HEADING + wide(from, to);

const depth = (minute: number, previous: string) =>
  `${START + minute * MINUTE_MS}000000 {"lastUpdateId":5,"bids":[["100","6"]],"asks":[["101","5"]]}\n` +
  `${START + minute * MINUTE_MS + 1}000000 {"data":{"e":"depthUpdate","E":1700000040000,"s":"BTCUSDT","U":6,"u":6,${previous}"b":[],"a":[["101","4"]]}}\n`;

const VENUE = { source: 'play', market: 'btc_usdt', kind: 'candles', resolution: '1min' } as const;

function writerTo(store: Store, name: string, mix?: boolean): DatasetWriter {
  const { root } = store;
  const key = VENUE;
  const work = { name, format: 'download', mix } as const;
  const writer = new DatasetWriter({ root, key, stepMs: MINUTE_MS, ...work });
  onTestFinished(() => writer.close());
  return writer;
}

describe('importFiles, of spot and futures,', () => {
  it('keeps them apart where their files tell', async () => {
    const store = new Store();
    const files = [
      store.file('BTCUSDT-1m-spot.csv', SPOT(0, 5)),
      store.file('BTCUSDT-1m-futures.csv', FUTURES(5, 10)),
      store.file('BTCUSDT-1m-trades.csv', `7,1,2,2,${START},true\n`),
      store.file('BTCUSDT-1m-trades-spot.csv', `7,1,2,2,${START},true,true\n`),
      store.file('btcusdt-futures.raw', depth(0, '"pu":5,')),
      store.file('btcusdt-spot.raw', depth(1, '')),
    ];
    await store.import(files);
    expect(store.ids()).toEqual(
      ['binance-futures', 'binance'].flatMap((source) =>
        ['1min', 'depth', 'trades'].map((kind) => `${source}.btc_usdt.${kind}`),
      ),
    );
  });

  it('refuses both in one dataset, whichever comes first, and changes nothing', async () => {
    const of = {
      spot: SPOT(0, 5),
      futures: FUTURES(5, 10),
    };
    for (const [first, second] of [
      ['spot', 'futures'],
      ['futures', 'spot'],
    ] as const) {
      const store = new Store();
      const files = [first, second].map((name) => store.file(`btcusdt-${name}.csv`, of[name]));
      await expect(store.import(files, { source: 'my' })).rejects.toThrow(
        'Cannot import into my.btc_usdt.1min: its rows were imported from files of binance',
      );
      const before = await store.import(files[0]!, { source: 'my' });
      await expect(store.import(files[1]!, { source: 'my' })).rejects.toThrow(
        /another --source \(a dataset of their own\) or --mix \(both in one\) is wanted$/,
      );
      expect(store.dataset('my.btc_usdt.1min')).toEqual(before);
    }
  });

  it('lets files join that may be either, as old ones of futures', async () => {
    const store = new Store();
    const files = [
      store.file('btcusdt-1.csv', wide(0, 5)),
      store.file('btcusdt-2.csv', FUTURES(5, 10)),
    ];
    expect(await store.import(files, { source: 'binance-futures' })).toMatchObject({ rows: 10 });
    const spot = store.file('btcusdt-3.csv', SPOT(10, 12));
    await expect(store.import(spot, { source: 'binance-futures' })).rejects.toThrow('--mix');
  });
});

describe('refuseMix', () => {
  it('keeps candles that were built out of a dataset that was imported', async () => {
    const store = new Store();
    const { root } = store;
    const fine = await store.import(store.file('btc_usdt-1m.json', json(candles(0, 30))));
    const five = candles(100, 160).filter((_row, at) => at % 5 === 0);
    const coarse = await store.import(store.file('btc_usdt-5m.json', json(five)));
    await expect(resample(fine, { root, resolution: '5min' })).rejects.toThrow(
      'Cannot resample into local.btc_usdt.5min: its rows were imported from files, ' +
        'these were resampled from local.btc_usdt.1min; another --source',
    );
    expect(store.dataset(coarse.id)).toEqual(coarse);
    const other = await resample(fine, { root, resolution: '5min', source: 'built' });
    expect(other).toMatchObject({ id: 'built.btc_usdt.5min', rows: 6 });
    const again = { root, resolution: '5min', source: 'built', overlap: 'replace' } as const;
    expect(await resample(fine, again)).toMatchObject({ rows: 6, revision: 2 });
  });

  it('keeps what a venue tells apart from files and from another venue', async () => {
    const store = new Store();
    const writer = writerTo(store, 'one.example');
    await writer.add({ rows: [candle(0)] });
    writer.close();
    expect(() => writerTo(store, 'other.example')).toThrow(
      'Cannot download into play.btc_usdt.1min: its rows were taken from one.example, ' +
        'these were taken from other.example',
    );
    // What was refused has let go of the dataset.
    writerTo(store, 'one.example').close();
    const file = store.file('btc_usdt.json', json(candles(5, 10)));
    await expect(store.import(file, { source: 'play' })).rejects.toThrow('imported from files;');
  });

  it('lets in what it is told to, and that alone from then on', async () => {
    const store = new Store();
    const writer = writerTo(store, 'one.example');
    await writer.add({ rows: [candle(0)] });
    writer.close();
    const file = store.file('btc_usdt.json', json(candles(5, 10)));
    const mixed = await store.import(file, { source: 'play', mix: true });
    expect(mixed.sources.map(({ origin }) => origin)).toEqual([
      { kind: 'venue', name: 'one.example' },
      { kind: 'files' },
    ]);
    const next = writerTo(store, 'one.example');
    expect(await next.add({ rows: [candle(10)] })).toBe(1);
    expect(await rowsOf(next.dataset!)).toHaveLength(7);
    next.close();
    expect(() => writerTo(store, 'other.example')).toThrow('these were taken from other.example');
    writerTo(store, 'other.example', true);
  });
});
