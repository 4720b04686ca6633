import { describe, expect, it } from 'vitest';
import { isKeyed, keyedRows } from '../../../../src/history/formats/json/keyed-rows.ts';
import { candles, datasetOf, rowsOf } from '../../store/fixture.ts';

const NAMES = ['open', 'high', 'low', 'close', 'volume'];
const ROWS = candles(0, 4);

type Key = (time: number, at: number) => string | number;
const byMs: Key = (time) => time;
const bySecond: Key = (time) => time / 1_000;
const byDate: Key = (time) => new Date(time).toISOString();

/** The candles as `DataFrame.to_json(orient='index')` writes them. */
function byRows(key: Key) {
  const rows = ROWS.map(([time, ...cells], at) => [
    key(time, at),
    Object.fromEntries(NAMES.map((name, column) => [name, cells[column]])),
  ]);
  return Object.fromEntries(rows) as Record<string, Record<string, number>>;
}

/** The candles as `DataFrame.to_json()` writes them by default. */
function byColumns(key: Key) {
  const columns = NAMES.map((name, column) => [
    name,
    Object.fromEntries(ROWS.map(([time, ...cells], at) => [key(time, at), cells[column]])),
  ]);
  return Object.fromEntries(columns) as Record<string, Record<string, number>>;
}

function split(key: Key) {
  const index = ROWS.map(([time], at) => key(time, at));
  return { columns: NAMES, index, data: ROWS.map(([, ...cells]) => cells) };
}

function table(key: Key) {
  const fields = ['time', ...NAMES].map((name) => ({ name, type: 'number' }));
  const data = ROWS.map(([time, ...cells], at) => ({
    time: key(time, at),
    ...Object.fromEntries(NAMES.map((name, column) => [name, cells[column]])),
  }));
  return { schema: { fields, primaryKey: ['time'], pandas_version: '1.4.0' }, data };
}

describe('importFiles, of frames that pandas writes as JSON,', () => {
  it.each([
    ['columns', byColumns],
    ['index', byRows],
    ['split', split],
    ['table', table],
  ])('reads those by %s', async (_orient, frameOf) => {
    for (const key of [byMs, bySecond, byDate]) {
      expect(await rowsOf(await datasetOf('btc_usdt.json', JSON.stringify(frameOf(key))))).toEqual(
        ROWS,
      );
    }
  });

  it('reads the time in a column beside an index that counts rows', async () => {
    const times = Object.fromEntries(ROWS.map(([time], at) => [at, time]));
    const columns = { date: times, ...byColumns((_time, at) => at) };
    expect(await rowsOf(await datasetOf('btc_usdt.json', JSON.stringify(columns)))).toEqual(ROWS);
  });

  it('finds the rows behind a long index, and each its own key', async () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [
      1_700_000_040_000 + at * 60_000,
      at + 2,
    ]);
    const data = rows.map(([, price]) => [price, price! + 1, price! - 1, price]);
    const index = rows.map(([time]) => time);
    const frame = { columns: NAMES.slice(0, 4), index, data };
    const read = await rowsOf(await datasetOf('btc_usdt.json', JSON.stringify(frame)));
    expect(read.map(([time, open]) => [time, open])).toEqual(rows);
  });

  it('refuses columns of different rows', async () => {
    const { open, ...others } = byColumns(byMs);
    const { [String(ROWS[0]![0])]: _first, ...fewer } = open!;
    await expect(
      datasetOf('btc_usdt.json', JSON.stringify({ ...others, open: fewer })),
    ).rejects.toThrow(
      'Cannot import btc_usdt.json: "open" has other rows than "high", the same in each are wanted',
    );
  });

  it.each([
    ['that breaks off', (text: string) => text.slice(0, -30), 'it breaks off, a whole file is'],
    ['with NaN', (text: string) => text.replace(/100\b/, 'NaN'), 'it holds NaN (behind "'],
    ['that is none', (text: string) => text.replace(',', ',,'), 'it is no JSON, JSON is wanted'],
  ])('refuses JSON %s', async (_which, change, message) => {
    await expect(
      datasetOf('btc_usdt.json', change(JSON.stringify(byColumns(byMs), null, 1))),
    ).rejects.toThrow(`Cannot import btc_usdt.json: ${message}`);
  });

  it('refuses an index of another length than its rows', async () => {
    const rows = candles(0, 7);
    const index = rows.slice(1).map(([time]) => time);
    const frame = { columns: NAMES, index, data: rows.map(([, ...cells]) => cells) };
    await expect(datasetOf('btc_usdt.json', JSON.stringify(frame))).rejects.toThrow(
      'row 7: the time (column index) is ',
    );
  });
});

describe('isKeyed', () => {
  it.each([
    ['{"open":{"0":1', true],
    ['{ "1706695200000": { "open": 1', true],
    ['{"2024-01-31":{"open":"1', true],
    ['{"open":{"high":1', false],
    ['{"0":{"1":1', false],
    ['{"open":{"0":[1', false],
    ['{"open":1', false],
  ])('of %s is %j', (text, is) => {
    expect(isKeyed(text)).toBe(is);
  });
});

it('keyedRows refuses an object that is too big to be held', async () => {
  const file = { file: 'x.json', sizeBytes: 100 * 1_048_576, folder: '.' };
  await expect(keyedRows(file)).rejects.toThrow(
    'it is an object of 100 MB that must be read whole, at most 64 MB are wanted, or a list of rows',
  );
});
