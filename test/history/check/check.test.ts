import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkDataset,
  DEPTH_EVENTS,
  isFault,
  removeDatasets,
  resample,
} from '../../../src/history/index.ts';
import { withDatabase } from '../../../src/history/store/database.ts';
import { writeManifest } from '../../../src/history/store/manifest.ts';
import { literal } from '../../../src/history/store/sql.ts';
import { byNobody } from '../../nobody.ts';
import {
  type CandleRow,
  candle,
  candles,
  type DepthRow,
  datasetOf,
  depthRows,
  json,
  MINUTE_MS,
  START,
  Store,
} from '../store/fixture.ts';

const ID = 'local.btc_usdt.1min';
const INDEX = new URL('../../../src/history/index.ts', import.meta.url).href;

describe('halfFormed', () => {
  it('names the candle, its times and what differs, in plain digits', async () => {
    const store = new Store();
    const minutes = candles(0, 20).map((row) => row.with(5, 0.1) as CandleRow);
    const five = [0, 5, 10, 15].map((minute) => {
      const [time, open] = candle(minute);
      return [time, open, open + 5, open - 1, open + 4.5, 0.5] as CandleRow;
    });
    five[1] = [five[1]![0], 105, 108, 104, 107.5, 0.3];
    minutes[10] = minutes[10]!.with(5, 0.00000002) as CandleRow;
    await store.import(store.file('btc_usdt-1m.json', json(minutes)));
    await store.import(store.file('btc_usdt-5m.json', json(five)));
    const halfFormed = (minute: number, detail: string) => [
      {
        ...{ fault: 'half-formed', count: 1 },
        places: [{ time: START + minute * MINUTE_MS, detail }],
      },
    ];
    expect((await store.check('local.btc_usdt.5min')).findings).toEqual(
      halfFormed(
        5,
        'the 5min candle until 2024-02-01T00:00:00.000Z has high 108, close 107.5, ' +
          'volume 0.3, its 1min candles have high 110, close 109.5, volume 0.5: ' +
          'the 5min candle is half-formed',
      ),
    );
    expect((await store.check(ID)).findings).toEqual(
      halfFormed(
        10,
        'the 5min candle until 2024-02-01T00:05:00.000Z has volume 0.5, ' +
          'its 1min candles have volume 0.40000002: one of the 1min candles is half-formed',
      ),
    );
    // Checked alone it tells what the other would tell, too.
    expect((await store.check(ID, [])).findings).toMatchObject([{ count: 2 }]);
    expect((await store.check('local.btc_usdt.5min', [])).findings).toMatchObject([{ count: 2 }]);
  });
});

describe('checkDataset, beside candles that were resampled,', () => {
  const FIVE = 'local.btc_usdt.5min';
  const TEN = 'local.btc_usdt.10min';

  /** Minutes, candles of five of them with one that differs, and candles of ten of the minutes. */
  async function resampledStore() {
    const store = new Store();
    const five = [0, 5].map((minute) => {
      const [time, open] = candle(minute);
      return [time, open, open + 5, open - 1, open + 4.5, minute === 5 ? 0.3 : 50] as CandleRow;
    });
    await store.import(store.file('btc_usdt-1m.json', json(candles(0, 10))));
    await store.import(store.file('btc_usdt-5m.json', json(five)));
    await resample(store.dataset(ID), { root: store.root, resolution: '10min' });
    return store;
  }

  it('compares none with these, nor these with what they are made of', async () => {
    const store = await resampledStore();
    expect((await store.check(ID, [])).comparedWith).toEqual([FIVE]);
    expect((await store.check(FIVE, [])).comparedWith).toEqual([ID]);
    expect((await store.check(FIVE, [])).findings).toMatchObject([{ count: 1 }]);
    expect((await store.check(TEN, [])).comparedWith).toEqual([FIVE]);
  });

  it('compares them where they are made of what was there before', async () => {
    const store = await resampledStore();
    await store.import(store.file('btc_usdt-1m-b.json', json(candles(10, 20))), {
      resolution: '1min',
    });
    expect((await store.check(ID)).comparedWith).toEqual([TEN, FIVE]);
    expect((await store.check(TEN)).comparedWith).toEqual([ID, FIVE]);
  });

  it.each([
    ['append', [ID, FIVE]],
    ['replace', [FIVE]],
  ] as const)('compares them where older ones stay: %s', async (overlap, comparedWith) => {
    const store = await resampledStore();
    const others = candles(0, 20).map((row, at) => (at === 3 ? [...row.slice(0, 5), 77] : row));
    const file = store.file('btc_usdt-1m-b.json', json(others as CandleRow[]));
    await store.import(file, { overlap: 'replace' });
    await resample(store.dataset(ID), { root: store.root, resolution: '10min', overlap });
    expect((await store.check(TEN)).comparedWith).toEqual(comparedWith);
  });

  it('compares them where they stand beside candles of another origin', async () => {
    const store = await resampledStore();
    const [time] = candle(10);
    const file = store.file('btc_usdt-10m.json', json([[time, 1, 3, 0.5, 2, 9]]));
    await store.import(file, { resolution: '10min', mix: true });
    expect((await store.check(TEN)).comparedWith).toEqual([ID, FIVE]);
  });

  it('does not compare them where others alike were put behind them', async () => {
    const store = await resampledStore();
    const file = store.file('btc_usdt-1m-b.json', json(candles(10, 20)));
    await store.import(file, { resolution: '1min' });
    const options = { root: store.root, resolution: '10min', overlap: 'append' } as const;
    await resample(store.dataset(ID), options);
    expect((await store.check(TEN)).comparedWith).toEqual([FIVE]);
  });

  it('compares them where what they are made of was removed, and imported anew with others', async () => {
    const store = await resampledStore();
    const others = candles(0, 10).map((row, at) => (at === 3 ? [...row.slice(0, 5), 77] : row));
    await removeDatasets(store.root, [ID]);
    await store.import(store.file('btc_usdt-1m.json', json(others as CandleRow[])));
    expect((await store.check(TEN)).comparedWith).toEqual([ID, FIVE]);
  });
});

describe('halfFormed, of a candle that has the volume of its minutes,', () => {
  it('does not say which of them was saved too early', async () => {
    const store = new Store();
    const [time, open] = candle(5);
    const five = [time, open, open + 6, open - 1, open + 4.5, 50] as CandleRow;
    await store.import(store.file('btc_usdt-1m.json', json(candles(0, 10))));
    await store.import(store.file('btc_usdt-5m.json', json([five])), { resolution: '5min' });
    const detailsOf = async (id: string, beside?: readonly string[]) =>
      (await store.check(id, beside)).findings.flatMap(({ places }) =>
        places.map(({ detail }) => detail),
      );
    const told = [
      'the 5min candle until 2024-02-01T00:00:00.000Z has high 111, its 1min candles have high 110',
    ];
    expect(await detailsOf('local.btc_usdt.5min')).toEqual(told);
    expect(await detailsOf(ID)).toEqual([]);
    // Nothing else would tell it then.
    expect(await detailsOf(ID, [])).toEqual(told);
  });
});

describe('checkDataset, of more rows than fit into memory,', () => {
  it('looks through all of them, and leaves nothing behind', async () => {
    const store = new Store();
    const name = 'venue.btc_usdt.trades';
    const folder = join(store.root, name);
    mkdirSync(folder);
    const [rows, firstTime, lastTime] = [1_200_000, START, START + 1_199_999];
    const period = '2024-01';
    const file = `${period}.parquet`;
    // As long as some millions of the usual ids are.
    const trades = `SELECT (${START} + range)::DOUBLE AS time, NULL::DOUBLE AS received,
      lpad(range::VARCHAR, 150, '0') AS id, 1.0 AS price, 1.0 AS amount, 1.0 AS side
      FROM range(${rows})`;
    await withDatabase((database) =>
      database.run(`COPY (${trades}) TO ${literal(join(folder, file))}
        (FORMAT parquet, ROW_GROUP_SIZE 50_000)`),
    );
    writeManifest(folder, {
      key: { kind: 'trades', market: 'btc_usdt', source: 'venue' },
      ...{ priceScale: 0, amountScale: 0, revision: 1, sources: [], gaps: [] },
      parts: [{ file, period, rows, firstTime, lastTime }],
    });
    expect((await store.check(name)).findings).toEqual([]);
    expect(readdirSync(store.root)).toEqual([name]);
  });
});

it('checkDataset names the first hundred of many files whose rows stood in disorder', async () => {
  const dataset = await datasetOf('btc_usdt.json', json(candles(0, 5)));
  const sources = Array.from({ length: 150 }, () => ({ ...dataset.sources[0]!, outOfOrder: 2 }));
  const { findings } = await checkDataset({ ...dataset, sources }, { others: [] });
  expect(findings).toMatchObject([{ fault: 'disorder', count: 300 }]);
  expect(findings[0]!.places).toHaveLength(100);
});

it('checkDataset wants no folder to write in for what fits into memory', async () => {
  const store = new Store();
  const { id } = await store.import(store.file('btc_usdt.json', json(candles(0, 2))));
  chmodSync(store.root, 0o555);
  const { stdout } = byNobody(
    `import '@duckdb/node-api';
    import { checkDataset, requireDataset } from ${JSON.stringify(INDEX)};
    const [, root, id] = process.argv;
    const { coverage } = await checkDataset(requireDataset(root, id), { others: [] });
    console.log(coverage);`,
    ...[store.root, id],
  );
  chmodSync(store.root, 0o755);
  expect(stdout).toBe('1\n');
});

describe('candleFindings', () => {
  it('tells where candles are missing and how many, and where one repeats another', async () => {
    const store = new Store();
    const rows = candles(0, 30).filter((_row, at) => at !== 10 && at !== 20 && at !== 21);
    const other = candle(7).with(5, 11) as CandleRow;
    await store.import(store.file('btc_usdt.json', json([...rows, candle(5), other])));
    const { findings } = await store.check(ID);
    const told = findings.map(({ fault, places }) => [
      fault,
      ...places.map(({ time, detail }) => [(time - START) / MINUTE_MS, detail]),
    ]);
    expect(told.slice(0, 3)).toEqual([
      ['gap', [10, '1 candle'], [20, '2 candles']],
      ['duplicate', [5, '1 more of it']],
      ['conflict', [7, '2 different candles']],
    ]);
  });
});

describe('candleFindings, of candles that lie between others,', () => {
  it('names them, and counts as missing what those leave out', async () => {
    const store = new Store();
    const [time, ...prices] = candle(8);
    const odd = [time + 30_000, ...prices];
    const rows = [...candles(0, 8), odd, ...candles(10, 20)];
    const { id } = await store.record(rows, { kind: 'candles' });
    const { findings } = await store.check(id);
    expect(findings).toEqual([
      { fault: 'gap', count: 2, places: [{ time, detail: '2 candles' }] },
      {
        fault: 'off grid',
        count: 1,
        places: [{ time: time + 30_000, detail: 'begins 30 s late' }],
      },
    ]);
  });
});

describe('tradeFindings', () => {
  type Numbers = { readonly id?: string; readonly price?: number; readonly amount?: number };
  const trade = (at: number, numbers: Numbers = {}) => {
    return { time: START + at, price: 1, amount: 1, side: 'buy', ...numbers };
  };
  const checked = async (trades: readonly object[]) => {
    const store = new Store();
    await store.import(store.file('btc_usdt.json', json(trades)));
    const { findings } = await store.check('local.btc_usdt.trades');
    return findings.map(({ fault, count }) => [fault, count]);
  };

  it('holds nothing against ids that do not count up by one', async () => {
    const trades = Array.from({ length: 50 }, (_, at) => trade(at, { id: String(3 * at) }));
    expect(await checked(trades)).toEqual([]);
  });

  it.each([
    [12, [['gap', 2]]],
    // Of so few, ids that are counted for all markets may follow each other by chance.
    [4, []],
  ])('tells of a single jump of ids: of %i trades', async (count, faults) => {
    const ids = Array.from({ length: count }, (_, at) => (at < 2 ? at : at + 2));
    expect(await checked(ids.map((id, at) => trade(at, { id: String(id) })))).toEqual(faults);
  });

  it('holds nothing against equal trades without ids', async () => {
    expect(await checked([trade(0), trade(0), trade(1), trade(1, { price: 2 })])).toEqual([]);
  });

  it('tells of prices of zero and of amounts that are none', async () => {
    const trades = [trade(0), trade(1, { price: 0 }), trade(2, { amount: 0 })];
    expect(await checked(trades)).toEqual([
      ['zero price', 1],
      ['outside', 1],
    ]);
  });
});

describe('rowFindings', () => {
  it('tells prices in plain digits, however small', async () => {
    const store = new Store();
    const rows = candles(0, 10);
    rows[7] = [rows[7]![0], 0.00000012, 0.1 + 0.2, 0.00000025, 0.00000025, 1];
    await store.import(store.file('btc_usdt.json', json(rows)));
    const { findings } = await store.check(ID);
    expect(findings.map(({ places }) => places[0]?.detail)).toEqual([
      'open 0.00000012, high 0.3, low 0.00000025, close 0.00000025, volume 1',
    ]);
  });
});

describe('depthFindings', () => {
  it('holds nothing against a book that is not known, and tells how much was left out', async () => {
    const store = new Store();
    const { snapshot, change, gap } = DEPTH_EVENTS;
    const book = (update: number, event: number, best: readonly [number, number]) =>
      [1, -1].map((side, at) => [START + update, START, update, event, side, best[at]!, 1]);
    const rows = [
      ...book(1, snapshot, [100, 101]),
      [START + 2, START, 2, gap, 1, 0, 0],
      ...book(3, change, [102, 101]),
      ...book(4, snapshot, [100, 101]),
      ...book(5, change, [103, 101]),
    ];
    const told = { from: START + 2, to: START + 4, reason: 'the line was lost', leftOut: 7 };
    const { id } = await store.record(rows, { gaps: [told] });
    const detail =
      `until ${new Date(START + 4).toISOString()}, when a snapshot came: ` +
      'the line was lost, 7 changes are left out';
    expect((await store.check(id)).findings).toEqual([
      { fault: 'gap', count: 1, places: [{ time: START + 2, detail }] },
      { fault: 'crossed', count: 1, places: [{ time: START + 5, detail: 'bid 103, ask 101' }] },
    ]);
  });
});

describe('depthFindings, of gaps,', () => {
  const found = async (rows: readonly DepthRow[]) => {
    const store = new Store();
    const { findings } = await store.check((await store.record(depthRows(rows))).id);
    return findings.map(({ fault, places }) => [fault, ...places.map(({ detail }) => detail)]);
  };

  it('tells of each when the snapshot came, and where none did', async () => {
    const rows: readonly DepthRow[] = [
      [0, 'snapshot', 'buy', 100, 1],
      [1, 'gap', 'buy', 0, 0],
      [2, 'gap', 'buy', 0, 0],
      [3, 'trade', 'buy', 101, 1],
      [4, 'snapshot', 'buy', 100, 1],
      [4, 'snapshot', 'sell', 101, 1],
      [5, 'gap', 'buy', 0, 0],
    ];
    const until = 'until 2024-01-31T23:50:04.000Z, when a snapshot came';
    expect(await found(rows)).toEqual([['gap', until, until, 'to the end, for no snapshot came']]);
  });

  it('says of none that it ended before it began, whatever the stamps', async () => {
    const rows: readonly DepthRow[] = [
      [0, 'snapshot', 'buy', 100, 1],
      [3, 'gap', 'buy', 0, 0],
      [2, 'snapshot', 'buy', 100, 1],
    ];
    expect(await found(rows)).toEqual([
      ['gap', 'until 2024-01-31T23:50:03.000Z, when a snapshot came'],
    ]);
  });
});

describe('depthFindings, of a book that is crossed for a while,', () => {
  it('tells of the updates that left it so, by the levels that were there then', async () => {
    const store = new Store();
    const { id } = await store.record(
      depthRows([
        [0, 'snapshot', 'buy', 100, 1],
        [0, 'snapshot', 'sell', 101, 1],
        [1, 'change', 'buy', 102, 1],
        [2, 'change', 'buy', 102, 0],
        [3, 'snapshot', 'buy', 200, 1],
        [3, 'snapshot', 'sell', 201, 1],
      ]),
    );
    const places = [{ time: START + 1_000, detail: 'bid 102, ask 101' }];
    const { findings } = await store.check(id);
    expect(findings).toEqual([{ fault: 'crossed', count: 1, places }]);
  });
});

describe('depthFindings, of a recording without a whole book at its start,', () => {
  const CHANGES: readonly DepthRow[] = [
    [0, 'trade', 'buy', 101, 1],
    [1, 'change', 'buy', 103, 1],
    [2, 'change', 'sell', 102, 1],
  ];
  const BOOK: readonly DepthRow[] = [
    [4, 'snapshot', 'buy', 100, 1],
    [4, 'snapshot', 'sell', 101, 1],
    [5, 'change', 'sell', 101, 2],
  ];
  const checked = async (rows: readonly DepthRow[]) => {
    const store = new Store();
    const { id } = await store.record(depthRows(rows));
    const { findings, coverage } = await store.check(id);
    return { findings, coverage };
  };

  it('tells from when on the book is known, and counts that time alone as covered', async () => {
    const detail =
      'until 2024-01-31T23:50:04.000Z: 2 changes of a book that nobody knows; ' +
      'no order fills in a backtest';
    expect(await checked([...CHANGES, ...BOOK])).toEqual({
      findings: [{ fault: 'unknown book', count: 2, places: [{ time: START, detail }] }],
      coverage: 0.2,
    });
  });

  it('goes by the first whole book, whatever whole ones come after it', async () => {
    const again = [...CHANGES, ...BOOK, [6, 'snapshot', 'buy', 100, 1] as const];
    const { findings, coverage } = await checked(again);
    expect(findings[0]?.places[0]?.detail).toContain('until 2024-01-31T23:50:04.000Z');
    expect(coverage).toBeCloseTo(2 / 6, 9);
  });

  it('tells that it is never known', async () => {
    const detail =
      'to the end, for there is no whole book: 2 changes of a book that nobody knows; ' +
      'no order fills in a backtest';
    expect(await checked(CHANGES)).toEqual({
      findings: [{ fault: 'unknown book', count: 2, places: [{ time: START, detail }] }],
      coverage: 0,
    });
  });

  it('tells until when trades alone come, and holds nothing against them', async () => {
    const found = await checked([CHANGES[0]!, ...BOOK, [6, 'gap', 'buy', 0, 0], CHANGES[0]!]);
    expect(found.coverage).toBeCloseTo(2 / 6, 9);
    expect(found.findings.map(({ fault }) => fault)).toEqual(['late book', 'gap']);
    const detail = 'until 2024-01-31T23:50:04.000Z; no order fills in a backtest';
    expect(found.findings[0]?.places).toEqual([{ time: START, detail }]);
    expect(found.findings.map(isFault)).toEqual([false, true]);
    expect(await checked(BOOK)).toEqual({ findings: [], coverage: 1 });
    for (const behind of [[], BOOK]) {
      const { findings } = await checked([CHANGES[0]!, [1, 'gap', 'buy', 0, 0], ...behind]);
      expect(findings.map(({ fault }) => fault)).toEqual(['gap']);
    }
  });
});

describe('depthFindings, of trades that cannot be,', () => {
  it('tells of prices of zero or less and of amounts that are none', async () => {
    const store = new Store();
    const { id } = await store.record(
      depthRows([
        [0, 'snapshot', 'buy', 100, 1],
        [1, 'trade', 'buy', 0, 1],
        [2, 'trade', 'buy', 101, -1],
        [3, 'trade', 'buy', 101, 0],
        [4, 'change', 'buy', 100, 0],
      ]),
    );
    const { findings } = await store.check(id);
    expect(findings.map(({ fault, places }) => [fault, ...places.map((p) => p.detail)])).toEqual([
      ['zero price', 'price 0'],
      ['outside', 'amount -1', 'amount 0'],
    ]);
  });
});
