import { describe, expect, it } from 'vitest';
import { DatasetWriter, type Gap } from '../../../../src/history/index.ts';
import { candle, candles, json, MINUTE_MS, START, Store } from '../fixture.ts';

const at = (minute: number): number => START + minute * MINUTE_MS;

/** A gap between the candles of two minutes. */
const gap = (from: number, to: number): Gap => ({
  ...{ from: at(from), to: at(to) },
  reason: 'connection lost',
});

describe('commit, of rows that take the place of others,', () => {
  it.each([
    ['the whole of it', 1, 9, []],
    ['what lies between its ends', 2, 9, []],
    ['its end', 5, 12, [gap(1, 5)]],
    ['its beginning', 0, 7, [gap(6, 9)]],
    ['its middle', 4, 6, [gap(1, 4), gap(5, 9)]],
    ['the candle that it begins behind', 0, 2, [gap(1, 9)]],
    ['the candle that it ends with', 9, 12, [gap(1, 9)]],
    ['nothing of it', 10, 12, [gap(1, 9)]],
  ])('leaves of a known gap what is missing still: %s', async (_, from, to, left) => {
    const store = new Store();
    const key = {
      ...{ source: 'venue', market: 'btc_usdt' },
      ...({ kind: 'candles', resolution: '1min' } as const),
    };
    const stepMs = MINUTE_MS;
    const writer = new DatasetWriter({
      ...{ root: store.root, key, stepMs },
      ...{ name: 'venue', format: 'download' },
    });
    await writer.add({
      rows: [0, 1, 9, 10, 11].map((minute) => candle(minute)),
      gaps: [gap(1, 9)],
    });
    writer.close();
    const file = store.file('BTC_USDT.json', json(candles(from, to)));
    const options = { source: 'venue', resolution: '1min', mix: true } as const;
    const { gaps } = await store.import(file, { ...options, overlap: 'replace' });
    expect(gaps).toEqual(left);
  });
});
