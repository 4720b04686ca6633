import { expect, it } from 'vitest';
import type { Mapping } from '../../../src/history/formats/mapping.ts';
import { candles, csv, Store } from '../store/fixture.ts';

const prices = { time: 'time', open: 'open', high: 'high', low: 'low', close: 'close' };

it('recognise says which heading is missing of candles with a volume in the quote currency', async () => {
  const store = new Store();
  const file = store.file(
    'BTCUSDT.csv',
    `time,open,high,low,close,quote_volume\n${csv(candles(0, 3))}`,
  );
  await expect(store.import(file)).rejects.toThrow(
    'Cannot import BTCUSDT.csv: it has candles, none of its columns is headed "volume" and ' +
      '"quote_volume" may not be in the base currency, a heading "volume" is wanted or a mapping ' +
      'of its columns (--mapping), which may leave the volume out',
  );
  const mapping: Mapping = { kind: 'candles', columns: prices };
  expect((await store.import(file, { mapping })).rows).toBe(3);
});
