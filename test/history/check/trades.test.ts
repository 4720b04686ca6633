import { describe, expect, it } from 'vitest';
import { json, START, Store } from '../store/fixture.ts';

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
