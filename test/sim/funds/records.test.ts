import { describe, expect, test } from 'vitest';
import type { CurrencyEntry } from '../../../src/sim/funds/catalogue.ts';
import { Records } from '../../../src/sim/funds/records.ts';

const CURRENCY = { name: 'btc' } as CurrencyEntry;

describe('Records', () => {
  test('keep all that are under way and the newest thousand that are over', () => {
    const records = new Records<{ id: string; account: number; currency: CurrencyEntry }>(
      ({ id }) => Number(id) >= 10,
    );
    for (let id = 0; id < 2_000; id++) {
      records.add({ id: String(id), account: 0, currency: CURRENCY });
    }
    const kept = records.of(0, CURRENCY).map(({ id }) => Number(id));
    expect([kept.length, kept.slice(0, 11), kept.at(-1)]).toEqual([
      1_010,
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000],
      1_999,
    ]);
    expect(['9', '999', '1000'].map((id) => records.byId(id)?.id)).toEqual([
      '9',
      undefined,
      '1000',
    ]);
    expect(records.of(1, CURRENCY)).toEqual([]);
  });
});
