import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, START, Store } from '../../store/fixture.ts';

const SECOND = START / 1_000;

/** Candles of futures, of Gate.io's fields in the order of its documents. */
function futures(rest: Readonly<Record<string, string>> = {}): string {
  const candle = { v: 971, c: '102', h: '103', l: '99', o: '100', ...rest };
  return JSON.stringify([0, 60].map((second) => ({ t: SECOND + second, ...candle })));
}

/** Candles as they are pushed, of a hundred coins each. */
function pushed(fields: Readonly<Record<string, unknown>>): string {
  const candle = { c: '102', h: '103', l: '99', o: '100', n: '1m_SOL_USDT' };
  const rows = [0, 60, 120].map((second) => ({ t: `${SECOND + second}`, ...candle, ...fields }));
  return JSON.stringify(rows);
}

describe('gateFuturesCandles', () => {
  it.each([
    ['BTC_USDT.json', 'gate-futures.btc_usdt.1min', 'contracts'],
    ['BTC_USD.json', 'gate-futures.btc_usd.1min', 'US dollars'],
    ['BTC_USDT_20240329.json', 'gate-futures-20240329.btc_usdt.1min', 'contracts'],
    ['BTC_USDT-20240329.json', 'gate-futures.btc_usdt.1min', 'contracts'],
  ])('of %s count what its contracts are worth', async (name, id, amountUnit) => {
    for (const text of [futures(), futures({ sum: '9.9' })]) {
      const dataset = await datasetOf(name, text);
      expect(dataset.id).toBe(id);
      expect(dataset.sources[0]!.amountUnit).toBe(amountUnit);
    }
  });

  it('leaves candles alone whose fields come in another order', async () => {
    const rows = [0, 60].map((second) => ({
      t: SECOND + second,
      o: 100,
      h: 103,
      l: 99,
      c: 102,
      v: 9,
    }));
    const dataset = await datasetOf('BTC_USDT.json', JSON.stringify(rows));
    expect(dataset.id).toBe('local.btc_usdt.1min');
    expect(dataset.sources[0]!.amountUnit).toBeUndefined();
  });
});

describe('gatePushedCandles', () => {
  it('takes the volume of spot from "a", and leaves out what had not ended', async () => {
    const store = new Store();
    const rows = JSON.parse(pushed({ v: '10050', a: '100', w: true })) as Record<string, unknown>[];
    const text = JSON.stringify([...rows.slice(0, 2), { ...rows[2], w: false }]);
    const told = await store.told(store.file('candles.json', text));
    expect(told).toEqual(['candles.json holds 1 of 3 candles that had not ended: left out']);
    const read = await rowsOf(store.dataset('gate.sol_usdt.1min'));
    expect(read.map((row) => row[5])).toEqual([100, 100]);
  });

  it.each([{ v: '10050' }, { v: '971', a: '97.1' }])('refuses %j', async (fields) => {
    await expect(datasetOf('candles.json', pushed(fields))).rejects.toThrow(
      'Cannot import candles.json: its candles are as Gate.io pushes them: "v" counts the quote ' +
        'currency of spot and contracts of futures, a mapping',
    );
  });
});

describe('gateFuturesTrades', () => {
  it.each([
    ['BTC_USDT', 'gate-futures.btc_usdt.trades', 'contracts'],
    ['BTC_USD', 'gate-futures.btc_usd.trades', 'US dollars'],
  ])('of %s count what its contracts are worth, sales below zero', async (contract, id, unit) => {
    const trades = [5, -3].map((size, at) => ({
      ...{ id: at + 1, create_time: SECOND + at, create_time_ms: SECOND + at + 0.25 },
      ...{ contract, size, price: '100' },
    }));
    const dataset = await datasetOf('trades.json', JSON.stringify(trades));
    expect(dataset.id).toBe(id);
    expect(dataset.sources[0]!.amountUnit).toBe(unit);
    expect(await rowsOf(dataset)).toEqual([
      [START + 250, Number.NaN, 100, 5, 1],
      [START + 1_250, Number.NaN, 100, 3, -1],
    ]);
  });
});
