import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportDataset, importFiles, resample } from '../../../src/history/index.ts';
import { HOUR_MS } from '../../../src/kernel/index.ts';
import { run } from '../../cli/command.ts';
import {
  type CandleRow,
  candle,
  candles,
  csv,
  datasetOf,
  json,
  MINUTE_MS,
  rowsOf,
  START,
  Store,
} from './fixture.ts';

const ID = 'local.btc_usdt.1min';

describe('importFiles', () => {
  it('joins the next files, in any order, and parts the rows by period', async () => {
    const store = new Store();
    const later = store.file('btc_usdt-2.json', json(candles(10, 20)));
    const earlier = store.file('btc_usdt-1.json', json(candles(0, 10)));
    await store.import([later, earlier]);
    const dataset = await store.import(store.file('btc_usdt-3.json', json(candles(30, 35))));
    expect(await rowsOf(dataset)).toEqual([...candles(0, 20), ...candles(30, 35)]);
    expect(dataset).toMatchObject({ rows: 25, firstTime: START, revision: 2, priceScale: 1 });
    const trades = candles(0, 20).map(([time]) => ({ time, price: 1, amount: 2, side: 'buy' }));
    const months = await store.import(store.file('btc_usdt-trades.json', json(trades)));
    expect(months.parts.map(({ period, rows }) => [period, rows])).toEqual([
      ['2024-01', 10],
      ['2024-02', 10],
    ]);
  });

  it('refuses what it has, and what overlaps, and changes nothing', async () => {
    const store = new Store();
    const file = store.file('btc_usdt.json', json(candles(0, 10)));
    const before = await store.import(file);
    const overlapping = store.file('btc_usdt-2.json', json(candles(9, 12)));
    await expect(store.import(file)).rejects.toThrow(/has it already \(as btc_usdt\.json\)/);
    const earlier = store.file('btc_usdt-0.json', json(candles(-3, 1)));
    for (const other of [overlapping, earlier]) {
      await expect(store.import(other)).rejects.toThrow(/--append .* or --replace/);
    }
    expect(store.dataset(ID)).toEqual(before);
    const two = [file, overlapping];
    await expect(new Store().import(two)).rejects.toThrow(
      /btc_usdt-2\.json: it begins at .* within/,
    );
  });

  it('appends and replaces as a naive merge does', async () => {
    const span = fc.tuple(fc.nat(20), fc.integer({ min: 2, max: 12 }));
    await fc.assert(
      fc.asyncProperty(span, span, fc.boolean(), async (old, next, replaces) => {
        const before = candles(old[0], old[0] + old[1]);
        const after = candles(next[0], next[0] + next[1]).map(([time]) => rowAt(time, 7));
        const store = new Store();
        await store.import(store.file('btc_usdt-1.json', json(before)));
        const overlap = replaces ? 'replace' : 'append';
        const file = store.file('btc_usdt-2.json', json(after));
        const dataset = await store.import(file, { overlap });
        expect(await rowsOf(dataset)).toEqual(
          replaces ? naiveMerge(after, before) : naiveMerge(before, after),
        );
        const files = readdirSync(join(store.root, ID)).filter((name) => name.endsWith('.parquet'));
        expect(files).toEqual(dataset.parts.map((part) => part.file));
      }),
      { seed: 1, numRuns: 12 },
    );
  }, 60_000);
});

describe('importFiles, what it tells,', () => {
  it('is how many rows were added to those that were there, and nothing of a first import', async () => {
    const store = new Store();
    const added = async (name: string, rows: number[][], overlap: 'append' | 'replace') => {
      const files = [store.file(name, json(rows))];
      const [result] = await importFiles({ root: store.root, files, overlap });
      return result!.added;
    };
    expect(await added('btc_usdt-1.json', candles(0, 10), 'append')).toBeUndefined();
    expect(await added('btc_usdt-2.json', candles(4, 13), 'append')).toBe(3);
    expect(await added('btc_usdt-3.json', candles(4, 20), 'replace')).toBeUndefined();
  });
});

describe('importFiles, of bad input,', () => {
  it('imports no file of several where one is broken', async () => {
    const store = new Store();
    const good = store.file('btc_usdt.json', json(candles(0, 10)));
    const bad = store.file('btc_usdt-2.csv', `${csv(candles(20, 30))}x,1,2,1,2,3\n`);
    await expect(store.import([good, bad])).rejects.toThrow(
      /btc_usdt-2\.csv: line 11: the time \(column 1\) is "x"/,
    );
    expect(store.ids()).toEqual([]);
    expect(readdirSync(store.root)).toEqual(['.files']);
  });

  it('refuses mixed resolutions and takes a gap or a quiet market for what it is', async () => {
    const five = candles(100, 200).filter((_row, at) => at % 5 === 0);
    const mixed = [...candles(0, 100), ...five];
    const store = new Store();
    const file = store.file('btc_usdt-mixed.json', json(mixed));
    await expect(store.import(file)).rejects.toThrow(
      /mixed: most rows are 1 min apart, those from row 102 \(2024-02-01T01:35:00.000Z\) on 5 min; /,
    );
    const interleaved = [
      ...candles(0, 100),
      ...five.map(([time]) => rowAt(time - 100 * MINUTE_MS, 9)),
    ];
    const both = store.file('btc_usdt-both.json', json(interleaved));
    await expect(store.import(both)).rejects.toThrow(
      /20 rows have the time of another row and other values, row 101 first: /,
    );
    const few = [...candles(0, 10), ...candles(10, 60).filter((_row, at) => at % 5 === 0)];
    const tiny = store.file('btc_usdt-tiny.json', json(few));
    await expect(store.import(tiny)).rejects.toThrow(/mixed: most rows are 1 min .* 5 min;/);
    const odd = store.file(
      'btc_usdt-odd.json',
      json([...candles(0, 9), rowAt(START + 9.5 * MINUTE_MS, 1)]),
    );
    await expect(store.import(odd)).rejects.toThrow(/mixed/);
    expect(store.ids()).toEqual([]);
    const quiet = candles(0, 200).filter((_row, at) => at % 7 !== 3 && at % 11 !== 5);
    await store.import(store.file('btc_usdt-quiet.json', json(quiet)));
    expect(store.ids()).toEqual([ID]);
  });
});

describe('importFiles, of files with little in them or too much,', () => {
  it('refuses the hours of a market among its minutes, and takes a few rows that were mended', async () => {
    const store = new Store();
    const hours = Array.from({ length: 24 }, (_, at) => {
      const [time, open] = candle(60 * at);
      return [time, open, open + 60, open - 1, open + 59.5, 600];
    });
    const both = store.file('btc_usdt-hours.json', json([...candles(0, 1_440), ...hours]));
    await expect(store.import(both)).rejects.toThrow(
      /mixed: most rows are 1 min apart, those from row 1442 \(2024-02-01T00:50:00.000Z\) on 1 h/,
    );
    const mended = [3, 4, 50, 700, 701, 1_200].map((at) => rowAt(START + at * MINUTE_MS, 9));
    await store.import(store.file('btc_usdt-mended.json', json([...candles(0, 1_440), ...mended])));
    expect(store.ids()).toHaveLength(1);
  });

  it('takes the length that the name of a file says where most candles are missing', async () => {
    const store = new Store();
    const hours = [0, 3, 7, 11, 18, 19, 24, 29, 35].map((hour) => rowAt(START + hour * HOUR_MS, 1));
    const rows = hours.map(([time, ...row]) => [time! / 1_000, ...row, 4]);
    const dataset = await store.import(store.file('XBTUSD_60.csv', csv(rows)));
    expect(dataset).toMatchObject({ id: 'kraken.xbt_usd.1hour', rows: hours.length });
    const wrong = store.file('XBTEUR_120.csv', csv(rows));
    await expect(store.import(wrong)).rejects.toThrow(/mixed: most rows are 4 h apart/);
  });

  it('refuses mixed resolutions and two series whatever the name of a file says', async () => {
    const store = new Store();
    const spread = (from: number, step: number) =>
      Array.from({ length: 60 }, (_, at) => rowAt(START + (from + at * step) * MINUTE_MS, 1));
    const mixed = store.file('BTCUSDT-1m.csv', csv([...spread(0, 3), ...spread(180, 5)]));
    await expect(store.import(mixed)).rejects.toThrow(
      /mixed: its name says 1min, those from line 2 \(2024-01-31T23:53:00.000Z\) on 3 min; candles of one/,
    );
    const steps = [0, 2, 5, 7, 12, 13, 18, 20, 23, 25, 30];
    const series = (price: number) =>
      steps.map((minute) => rowAt(START + minute * MINUTE_MS, price));
    const both = store.file('ETHUSDT-1m.csv', csv([...series(100), ...series(250)]));
    await expect(store.import(both)).rejects.toThrow(/11 rows have the time of another row/);
    expect(store.ids()).toEqual([]);
  });

  it('drops equal rows when told to, and says how many', async () => {
    const twice = [...candles(0, 5), ...candles(3, 5)];
    const dataset = await datasetOf('btc_usdt.json', json(twice), { dropDuplicates: true });
    expect(await rowsOf(dataset)).toEqual(candles(0, 5));
    expect(dataset.sources).toMatchObject([{ rows: 5, dropped: 2 }]);
  });

  it('says that a file may not be so large, and leaves the datasets as they were', async () => {
    const store = new Store();
    const before = await store.import(store.file('btc_usdt.json', json(candles(0, 10))));
    const noisy = candles(20, 40_000).map(([time], at) =>
      rowAt(time, 1 + ((at * 7_919) % 10_007) / 97),
    );
    const file = store.file('btc_usdt-2.json', json(noisy));
    const bin = join(import.meta.dirname, '../../../bin/tradewind.js');
    const command = `ulimit -f 16; exec '${process.execPath}' '${bin}' data import '${file}' --data '${store.root}'`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toMatch(
      /Cannot import into .*: a file would be larger .* the dataset is as it was/,
    );
    expect(status).toBe(8);
    expect(store.dataset(ID)).toEqual(before);
    expect(readdirSync(store.root).sort()).toEqual(['.files', '.locks', ID]);
  });
});

describe('importFiles, --resolution,', () => {
  it('is of candles alone, which may be among others', async () => {
    const store = new Store();
    const trades = store.file(
      'btc_usdt-t.csv',
      'time,price,amount,side,id\n1706745000000,5,1,buy,1\n1706745001000,6,1,buy,2\n',
    );
    await expect(store.told([trades], { resolution: '1min' })).rejects.toThrow(
      /btc_usdt-t\.csv: its resolution is to be "1min" and it holds trades, candles are wanted$/,
    );
    const few = store.file('btc_usdt.json', json(candles(0, 2)));
    await store.told([trades, few], { resolution: '1min' });
    expect(store.ids()).toEqual([ID, 'local.btc_usdt.trades']);
  });
});

/** What `first` has counts; `second` adds what lies before and after. */
function naiveMerge(first: readonly CandleRow[], second: readonly CandleRow[]): CandleRow[] {
  const times = first.map(([time]) => time);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  return [...first, ...second.filter(([time]) => time < from || time > to)].sort(
    (a, b) => a[0] - b[0],
  );
}

function rowAt(time: number, price: number): CandleRow {
  return [time, price, price + 1, price - 0.5, price, 1];
}

describe('importFiles, --resolution beside other rows,', () => {
  it('is what the refusal goes by', async () => {
    const store = new Store();
    const minutes = store.file('btc_usdt.json', json(candles(0, 20)));
    await expect(store.told([minutes], { resolution: '5min' })).rejects.toThrow(
      /its resolutions are mixed: --resolution says 5min, those from .* on 1 min; candles of one/,
    );
  });
});

describe('openScan', () => {
  it('gives the rows of a span, in chunks whatever their number', async () => {
    const dataset = await datasetOf('btc_usdt.json', json(candles(0, 70_000)));
    const all = await rowsOf(dataset);
    expect(all).toEqual(candles(0, 70_000));
    const from = START + 100 * MINUTE_MS;
    const to = from + 3 * MINUTE_MS;
    expect(await rowsOf(dataset, { from, to })).toEqual([candle(100), candle(101), candle(102)]);
    expect(await rowsOf(dataset, { from: 0, to: START })).toEqual([]);
  });
});

describe('exportDataset', () => {
  it.each(['csv', 'json', 'parquet'])('writes %s that can be imported again', async (ending) => {
    const store = new Store();
    const depth = `1700000040000000000 {"lastUpdateId":5,"bids":[["100","6"]],"asks":[["101.5","5"]]}
1700000040500000000 {"data":{"e":"trade","E":1700000040501,"s":"BTCUSDT","t":1,"p":"100","q":"2","m":true}}\n`;
    const trades = `time,id,price,amount,side\n1700000040000.5,a,1,2,buy\n1700000040001,b,1.25,2,sell\n`;
    const datasets = [
      await store.import(store.file('btc_usdt.json', json(candles(0, 3)))),
      await store.import(store.file('btcusdt.raw', depth), { source: 'local' }),
      await store.import(store.file('btc_usdt-trades.csv', trades)),
    ];
    const again = new Store();
    for (const dataset of datasets) {
      const file = join(again.root, `btc_usdt.${dataset.kind}.${ending}`);
      expect((await exportDataset(dataset, { file })).rows).toBe(dataset.rows);
      await expect(exportDataset(dataset, { file })).rejects.toThrow(/--force is wanted/);
      const early = { file: `${file}.${ending}`, to: dataset.firstTime };
      await expect(exportDataset(dataset, early)).rejects.toThrow(/it has no row of that time/);
      const backwards = { ...early, from: dataset.lastTime };
      await expect(exportDataset(dataset, backwards)).rejects.toThrow(
        /the end is not after the beginning, a later one is wanted$/,
      );
      const options = dataset.kind === 'candles' ? { resolution: '1min' } : {};
      const back = await again.import(file, options);
      expect(back.id).toBe(dataset.id);
      expect(await rowsOf(back)).toEqual(await rowsOf(dataset));
    }
  });
});

describe('resample', () => {
  it('builds whole bars only, and refuses what is no multiple', async () => {
    const store = new Store();
    const { root } = store;
    const dataset = await store.import(store.file('btc_usdt.json', json(candles(3, 18))));
    const five = await resample(dataset, { root, resolution: '5m' });
    expect(five.id).toBe('local.btc_usdt.5min');
    expect(await rowsOf(five)).toEqual([
      [START + 5 * MINUTE_MS, 105, 110, 104, 109.5, 50],
      [START + 10 * MINUTE_MS, 110, 115, 109, 114.5, 50],
    ]);
    await expect(resample(dataset, { root, resolution: '5m' })).rejects.toThrow(
      /^Cannot resample 2024-.* into local\.btc_usdt\.5min: it has .* --replace/,
    );
    await expect(resample(five, { root, resolution: '7m' })).rejects.toThrow(/a multiple of that/);
    await expect(resample(five, { root, resolution: '1d' })).rejects.toThrow(
      /: it covers no whole bar of that length, a shorter one is wanted$/,
    );
    await expect(resample(five, { root, resolution: '1M' })).rejects.toThrow(/is no length/);
  });
});

describe('resample, of quotes,', () => {
  const minuteOf = (content: string) => {
    const store = new Store();
    const file = store.file('btc_usdt-quotes.csv', content);
    return store
      .import(file)
      .then((dataset) => resample(dataset, { root: store.root, resolution: '1min' }));
  };

  it('builds bars of the middles of quotes that have both sides, and counts them', async () => {
    const sides = [
      [0.1, 3, 0.2, 5],
      [0.3, 3, 0.4, 5],
      [0, 0, 0.4, 5],
      [0.9, 0, 1.1, 5],
      [0.1, 3, 0.4, 5],
    ];
    const rows = sides.map((row, at) => [START + at * 20_000, ...row]);
    const dataset = await minuteOf(`time,bid,bidAmount,ask,askAmount\n${csv(rows)}`);
    expect(await rowsOf(dataset)).toEqual([
      [START, 0.15, 0.35, 0.15, 0.35, 2],
      [START + MINUTE_MS, 0.25, 0.25, 0.25, 0.25, 1],
    ]);
    // A number of quotes says nothing of the steps of amounts.
    expect([dataset.priceScale, dataset.amountScale]).toEqual([2, 8]);
  });

  it('takes them without amounts where none has one', async () => {
    const rows = [1, 2].map((bid, at) => [START + at, bid, bid + 0.5]);
    const dataset = await minuteOf(`time,bid,ask\n${csv(rows)}`);
    expect(await rowsOf(dataset)).toEqual([[START, 1.25, 2.25, 1.25, 2.25, 2]]);
  });
});

describe('resample, of trades that have gone on,', () => {
  /** Trades of such prices, half a minute apart from some half minute on. */
  const trades = (from: number, prices: readonly number[]): string => {
    const rows = prices.map((price, at) => [START + ((from + at) * MINUTE_MS) / 2, price, 1]);
    return `time,price,amount\n${csv(rows)}`;
  };
  /** Builds minutes of some trades, and again once others have joined them; close and volume of each. */
  async function builtTwice(first: string, then: string): Promise<number[][]> {
    const store = new Store();
    const options = { root: store.root, resolution: '1min', overlap: 'append' } as const;
    await resample(await store.import(store.file('btc_usdt-trades.csv', first)), options);
    const joined = store.file('btc_usdt-trades-2.csv', then);
    await resample(await store.import(joined, { overlap: 'append' }), options);
    return (await rowsOf(store.dataset('local.btc_usdt.1min'))).map((row) => row.slice(4));
  }

  it('completes the last bar of before, and the first', async () => {
    expect(await builtTwice(trades(0, [1, 2, 3]), trades(3, [4, 5, 6]))).toEqual([
      [2, 2],
      [4, 2],
      [6, 2],
    ]);
    expect(await builtTwice(trades(3, [4, 5, 6]), trades(0, [1, 2, 3]))).toEqual([
      [2, 2],
      [4, 2],
      [6, 2],
    ]);
    expect(await builtTwice(trades(1, [2]), trades(0, [1]))).toEqual([[2, 2]]);
  });

  it('leaves a bar of which they know less', async () => {
    const store = new Store();
    const options = { root: store.root, resolution: '1min', source: 'built', mix: true } as const;
    const file = store.file('btc_usdt-trades.csv', trades(0, [1, 2, 3, 4]));
    await resample(await store.import(file), options);
    const later = store.file('btc_usdt-trades-2.csv', trades(3, [9, 5, 6]));
    const others = await store.import(later, { source: 'other' });
    await resample(others, { ...options, overlap: 'append' });
    const rows = await rowsOf(store.dataset('built.btc_usdt.1min'));
    expect(rows.map((row) => row.slice(4))).toEqual([
      [2, 2],
      [4, 2],
      [6, 2],
    ]);
  });
});

describe('resample, of volumes,', () => {
  /** Adds as on paper: the units of the last place. */
  const sumOf = (amounts: readonly string[]): number => {
    const places = Math.max(...amounts.map((text) => text.split('.')[1]?.length ?? 0));
    const units = amounts.map((text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return BigInt(whole + fraction.padEnd(places, '0'));
    });
    const text = String(units.reduce((a, b) => a + b)).padStart(places + 1, '0');
    return Number(`${text.slice(0, text.length - places)}.${text.slice(text.length - places)}`);
  };
  /** At most 15 digits each, as many as a double keeps. */
  const amountOf = (wholeMax: number, places: number) =>
    fc
      .tuple(fc.nat(wholeMax), fc.nat(10 ** places - 1))
      .map(([whole, units]) => `${whole}.${String(units).padStart(places, '0')}`);
  const amount = fc.oneof(amountOf(9, 1), amountOf(99_999, 8), amountOf(10 ** 12 - 1, 3));
  const bars = fc.array(fc.array(amount, { minLength: 5, maxLength: 5 }), { minLength: 200 });

  it('exports what a person adds up, of candles', async () => {
    const store = new Store();
    const rows = candles(0, 2).map((row, at) => row.with(5, [0.1, 0.2][at]!));
    const dataset = await store.import(store.file('btc_usdt.json', json(rows)));
    const two = await resample(dataset, { root: store.root, resolution: '2min' });
    const file = join(store.root, '.files', 'out.csv');
    await exportDataset(two, { file });
    expect(readFileSync(file, 'utf8').trim().split('\n').at(-1)).toMatch(/,0\.3$/);
    expect(two.amountScale).toBe(1);
  });

  it('adds up as exact arithmetic does, of candles and of trades', async () => {
    const adds = fc.asyncProperty(bars, async (volumes) => {
      const store = new Store();
      const rows = volumes.flat().map((volume, at) => [...candle(at).slice(0, 5), volume]);
      const trades = rows.map(([time], at) => [time, 100, volumes.flat()[at]]);
      const files = [
        store.file('btc_usdt.csv', `time,open,high,low,close,volume\n${csv(rows)}`),
        store.file('btc_usdt-trades.csv', `time,price,amount\n${csv(trades)}`),
      ];
      for (const [at, file] of files.entries()) {
        const options = { root: store.root, resolution: '5min', source: `s${at}` };
        const built = await rowsOf(await resample(await store.import(file), options));
        expect(built.map((row) => row.at(-1))).toEqual(volumes.map(sumOf));
      }
    });
    await fc.assert(adds, { numRuns: 3, endOnFailure: true });
  }, 60_000);
});

describe('checkDataset', () => {
  it('finds what was planted, and nothing in clean candles', async () => {
    const store = new Store();
    await store.import(store.file('btc_usdt.json', json(candles(0, 50))), { source: 'clean' });
    expect(await store.check('clean.btc_usdt.1min')).toMatchObject({ coverage: 1, findings: [] });
    const rows = candles(0, 50).filter((_row, at) => at < 20 || at >= 23);
    rows.splice(10, 0, candle(9), rowAt(candle(4)[0], 3));
    rows[30] = [rows[30]![0], 0, 1, 0, 0.5, 1];
    rows[32] = [rows[32]![0], 5, 4, 6, 5, 1];
    await store.import(store.file('btc_usdt-2.json', json(rows)), { source: 'dirty' });
    const { coverage, findings } = await store.check('dirty.btc_usdt.1min');
    expect(coverage).toBe(47 / 50);
    expect(findings.map(({ fault, count }) => [fault, count])).toEqual([
      ...[
        ['gap', 3],
        ['duplicate', 1],
        ['conflict', 1],
        ['zero price', 1],
        ['crossed', 1],
      ],
      ['disorder', 1],
    ]);
  });

  it('finds missing and doubled trades by their ids', async () => {
    const store = new Store();
    const trade = (id: number, price = 1) => ({
      time: START + id,
      id: String(id),
      price,
      amount: 1,
      side: 'buy',
    });
    const trades = Array.from({ length: 300 }, (_, at) => trade(at)).filter(
      ({ id }) => id !== '77',
    );
    trades.push({ ...trade(299) }, trade(298, 2));
    await store.import(store.file('btc_usdt.json', json(trades)));
    const { findings } = await store.check('local.btc_usdt.trades');
    const counts = findings.map(({ fault, count }) => [fault, count]);
    expect(counts).toEqual([
      ['gap', 1],
      ['duplicate', 1],
      ['conflict', 1],
      ['disorder', 1],
    ]);
  });
});

describe('tradewind data', () => {
  it('ends with 8 where a file cannot be read, and where a strict check finds a fault', async () => {
    const store = new Store();
    const rows = candles(0, 20).filter((_row, at) => at !== 5);
    const { file } = { file: store.file('btc_usdt.json', json(rows)) };
    const data = ['--data', store.root];
    expect(await run(['data', 'import', 'none.csv', ...data])).toMatchObject({
      code: 8,
      stdout: '',
    });
    expect((await run(['data', 'import', file, ...data, '--json'])).code).toBe(0);
    const strict = await run(['data', 'check', ID, '--strict', '--json', ...data]);
    expect(strict.code).toBe(8);
    expect(JSON.parse(strict.stdout)).toMatchObject([{ faults: [{ fault: 'gap', count: 1 }] }]);
    const unknown = await run(['data', 'check', `${ID}s`, ...data]);
    expect(unknown).toMatchObject({ code: 8, stderr: expect.stringContaining(`mean "${ID}"?`) });
    expect(await run(['data', 'check', '../x', ...data])).toMatchObject({ code: 2 });
  }, 30_000);
});
