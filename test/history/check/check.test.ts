import { describe, expect, it } from 'vitest';
import { DatasetWriter, DEPTH_EVENTS } from '../../../src/history/index.ts';
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
    for (const id of [ID, 'local.btc_usdt.5min']) {
      const { findings } = await store.check(id);
      expect(findings).toEqual([
        {
          ...{ fault: 'half-formed', count: 2 },
          places: [
            {
              time: START + 5 * MINUTE_MS,
              detail:
                'the 5min candle until 2024-02-01T00:00:00.000Z has high 108, close 107.5, ' +
                'volume 0.3, its 1min candles have high 110, close 109.5, volume 0.5: ' +
                'the 5min candle is half-formed',
            },
            {
              time: START + 10 * MINUTE_MS,
              detail:
                'the 5min candle until 2024-02-01T00:05:00.000Z has volume 0.5, ' +
                'its 1min candles have volume 0.40000002: one of these is half-formed',
            },
          ],
        },
      ]);
    }
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
    const key = { source: 'venue', market: 'btc_usdt', kind: 'depth' } as const;
    const writer = new DatasetWriter({ root: store.root, key, name: 'venue', format: 'record' });
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
    await writer.add({ rows, gaps: [told] });
    writer.close();
    const detail = 'the line was lost, 7 changes are left out; depth is missing until a snapshot';
    expect((await store.check(writer.id)).findings).toEqual([
      { fault: 'gap', count: 1, places: [{ time: START + 2, detail }] },
      { fault: 'crossed', count: 1, places: [{ time: START + 5, detail: 'bid 103, ask 101' }] },
    ]);
  });
});
