import { describe, expect, it } from 'vitest';
import type { Mapping } from '../../../src/history/formats/mapping.ts';
import { rowsOf, START, Store } from '../store/fixture.ts';

/** Trades whose sides only their amounts tell. */
const SIGNED: Mapping = {
  ...{ kind: 'trades', market: 'btc_usdt' },
  columns: { time: 1, price: 2, amount: 3 },
};

/** Two trades at rising prices, with these cells in a column for sides. */
function trades(heading: string, cells: readonly [unknown, unknown]): string {
  const rows = cells.map((cell, at) => `${START + at * 1000},${100 + at},2,${cell}\n`);
  return `time,price,amount,${heading}\n${rows.join('')}`;
}

async function imported(text: string) {
  const store = new Store();
  const told = await store.told(store.file('btc_usdt.csv', text));
  const rows = await rowsOf(store.dataset('local.btc_usdt.trades'));
  return { told, sides: rows.map((row) => row.at(-1)) };
}

describe('sideIn', () => {
  it.each([
    ['side', 'sell', 'buy'],
    ['side', -1, 1],
    ['taker_side', 'SELL', 'BUY'],
    ['aggressor_side', 'SELLER', 'BUYER'],
    ['direction', 's', 'b'],
    ['type', 'sell', 'buy'],
    ['is_buyer_maker', 'true', 'false'],
    ['is_buyer_maker', 1, 0],
    ['sell', 'true', 'false'],
    ['taker_side_sell', 'True', 'False'],
  ])('reads "%s" with %j and %j as a sell and a buy', async (heading, sell, buy) => {
    expect(await imported(trades(heading, [sell, buy]))).toEqual({ told: [], sides: [-1, 1] });
  });

  it('reads a "type" of 1 as a sell and of 0 as a buy, as Bitstamp has it', async () => {
    expect((await imported(trades('type', [1, 0]))).sides).toEqual([-1, 1]);
    expect((await imported(trades('type', [1, 1]))).sides).toEqual([-1, -1]);
  });

  it('takes the sign of amounts for sides where some are below zero, as of Bitfinex', async () => {
    const store = new Store();
    const text = [2, 2, 2, 2, 2, -0.5, 2, -1]
      .map((amount, at) => `${START + at},100,${amount}\n`)
      .join('');
    const file = store.file('btc_usdt.csv', `time,price,amount\n${text}`);
    expect(await store.told(file)).toEqual([]);
    const rows = await rowsOf(store.dataset('local.btc_usdt.trades'));
    expect(rows.slice(5).map((row) => row.slice(3))).toEqual([
      [0.5, -1],
      [2, 1],
      [1, -1],
    ]);
  });

  it.each([undefined, SIGNED])(
    'does so where the first ones are all above it: mapping %j',
    async (mapping) => {
      const store = new Store();
      const amounts = [1, 1, 1, 1, 1, 1, 1, 1, -3];
      const text = amounts.map((amount, at) => `${START + at},100,${amount}\n`).join('');
      const file = store.file('btc_usdt.csv', `time,price,amount\n${text}`);
      const dataset = await store.import(file, mapping === undefined ? {} : { mapping });
      const rows = await rowsOf(dataset);
      expect(rows.map((row) => row.slice(3)).slice(-2)).toEqual([
        [1, 1],
        [3, -1],
      ]);
    },
  );

  it('takes the type of orders for no side', async () => {
    const { told, sides } = await imported(trades('type', ['limit', 'market']));
    expect(told).toEqual([expect.stringContaining('no column that is known to tell sides')]);
    expect(sides).toEqual([1, 1]);
  });

  it('refuses a number that is neither', async () => {
    await expect(imported(trades('side', [1, 2]))).rejects.toThrow('line 3: the side');
    await expect(imported(trades('type', [1, 2]))).rejects.toThrow('line 3: the side');
  });

  it.each(['maker_side', 'sell'])(
    'says of trades with none but "%s" that they are inferred',
    async (heading) => {
      expect(await imported(trades(heading, ['sell', 'sell']))).toEqual({
        told: [
          'btc_usdt.csv has no column that is known to tell sides, they are inferred: up is a buy, ' +
            'down a sell',
        ],
        sides: [1, 1],
      });
    },
  );
});

describe('sideIn, of a type,', () => {
  it.each([[[1, 1, 1, 1, 1, 1, -1]], [[1, -1, 1]]])(
    'reads a "type" of 1 as a buy where there is a -1, too: %j',
    async (types) => {
      const store = new Store();
      const rows = types.map((type, at) => `${START + at},100,2,${type}\n`);
      await store.import(store.file('btc_usdt.csv', `time,price,amount,type\n${rows.join('')}`));
      const sides = await rowsOf(store.dataset('local.btc_usdt.trades'));
      expect(sides.map((row) => row.at(-1))).toEqual(types);
    },
  );
});
