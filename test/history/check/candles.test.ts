import { describe, expect, it } from 'vitest';
import {
  type CandleRow,
  candle,
  candles,
  json,
  MINUTE_MS,
  START,
  Store,
} from '../store/fixture.ts';

const ID = 'local.btc_usdt.1min';

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
      ['duplicate', [5, 'repeated 1 time']],
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
