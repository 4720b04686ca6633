import { describe, expect, it } from 'vitest';
import { type Dataset, type Gap, resample } from '../../../../src/history/index.ts';
import type { OverlapRule } from '../../../../src/history/store/commit/commit.ts';
import { type CandleRow, candle, candles, json, MINUTE_MS, START, Store } from '../fixture.ts';

const at = (minute: number): number => START + minute * MINUTE_MS;

/** A gap between the candles of two minutes. */
const gap = (from: number, to: number): Gap => ({
  ...{ from: at(from), to: at(to) },
  reason: 'connection lost',
});

/** A dataset with a known gap between two of its minutes, which files of minutes join. */
async function gapped() {
  const store = new Store();
  const rows = [0, 1, 9, 10, 11].map((minute) => candle(minute));
  await store.record(rows, { kind: 'candles', gaps: [gap(1, 9)] });
  return async (from: number, to: number, overlap: OverlapRule, more?: [number, number]) => {
    const minutes = more === undefined ? [[from, to]] : [[from, to], more];
    const files = minutes.map(([first, end], at) =>
      store.file(`BTC_USDT-${at}.json`, json(candles(first!, end!))),
    );
    const options = { source: 'venue', resolution: '1min', mix: true, overlap } as const;
    return (await store.import(files, { ...options, market: 'btc_usdt' })).gaps;
  };
}

describe('commit, of a dataset with known gaps,', () => {
  it.each([
    ['the whole of it', 1, 9, []],
    ['what lies between its ends', 2, 9, []],
    ['its end', 5, 12, [gap(1, 5)]],
    ['its beginning', 0, 7, [gap(6, 9)]],
    ['its middle', 4, 6, [gap(1, 4), gap(5, 9)]],
    ['the candle that it begins behind', 0, 2, [gap(1, 9)]],
    ['the candle that it ends with', 9, 12, [gap(1, 9)]],
    ['nothing of it', 10, 12, [gap(1, 9)]],
  ])('keeps what rows that replace others leave of one: %s', async (_, from, to, left) => {
    const joinedBy = await gapped();
    expect(await joinedBy(from, to, 'replace')).toEqual(left);
  });

  it('keeps one that lies between the files that replace what is beside it', async () => {
    const joinedBy = await gapped();
    expect(await joinedBy(0, 2, 'replace', [10, 12])).toEqual([gap(1, 9)]);
  });

  it('keeps one that rows are added around', async () => {
    const joinedBy = await gapped();
    expect(await joinedBy(-3, 15, 'append')).toEqual([gap(1, 9)]);
  });
});

describe('commit, of the files that rows came from,', () => {
  const dropped = ({ sources }: Dataset): number[] => sources.map((source) => source.dropped);

  it('forgets those whose rows others take the place of', async () => {
    const store = new Store();
    const twice = (from: number, to: number) => [...candles(from, to), candle(from)];
    const file = (name: string, rows: readonly CandleRow[]) => store.file(name, json(rows));
    const options = { dropDuplicates: true, market: 'btc_usdt' } as const;
    const first = file('a.json', twice(0, 5));
    await store.import([first, file('b.json', twice(5, 10))], options);
    const again = await store.import(first, { ...options, overlap: 'replace' });
    expect(dropped(again)).toEqual([1, 1]);
    const whole = await store.import(file('c.json', candles(-5, 9)), {
      ...options,
      overlap: 'replace',
    });
    expect(dropped(whole)).toEqual([1, 0]);
  });

  it.each(['append', 'replace'] as const)(
    'counts what a dataset that is resampled anew leaves out once: %s',
    async (overlap) => {
      const store = new Store();
      const rows = candles(0, 8).map((row, at) => (at === 3 ? row.with(3, 0) : row)) as CandleRow[];
      const dataset = await store.import(store.file('btc_usdt.json', json(rows)));
      const { root } = store;
      await resample(dataset, { root, resolution: '2min' });
      const longer = await store.import(store.file('btc_usdt-2.json', json(candles(8, 12))));
      const built = await resample(longer, { root, resolution: '2min', overlap });
      expect(dropped(built)).toEqual([1]);
    },
  );
});

describe('commit, of rows in a hole of a dataset,', () => {
  it('puts them there where none of it is between them, and its known gap ends', async () => {
    const joinedBy = await gapped();
    expect(await joinedBy(2, 6, 'refuse')).toEqual([gap(5, 9)]);
    expect(await joinedBy(6, 9, 'refuse')).toEqual([]);
    await expect(joinedBy(6, 7, 'refuse')).rejects.toThrow('--append');
  });

  it('refuses them where one file has rows between them', async () => {
    const joinedBy = await gapped();
    await expect(joinedBy(2, 10, 'refuse')).rejects.toThrow(/^Cannot import .* already; --append/);
    expect(await joinedBy(-2, 0, 'refuse', [3, 5])).toEqual([gap(1, 3), gap(4, 9)]);
  });
});
