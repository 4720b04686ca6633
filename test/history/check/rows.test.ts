import { describe, expect, it } from 'vitest';
import { candles, json, Store } from '../store/fixture.ts';

const ID = 'local.btc_usdt.1min';

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
