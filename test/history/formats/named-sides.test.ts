import { describe, expect, it } from 'vitest';
import { type Mapping, mappingSchema } from '../../../src/history/formats/mapping.ts';
import { datasetOf, rowsOf, START, Store, timesOf } from '../store/fixture.ts';

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
    ['sell', 1, 0],
    ['taker_side_sell', 'True', 'False'],
    ['taker_side_sell', 1, 0],
  ])('reads "%s" with %j and %j as a sell and a buy', async (heading, sell, buy) => {
    expect(await imported(trades(heading, [sell, buy]))).toEqual({ told: [], sides: [-1, 1] });
  });

  it.each(['side', 'type'])(
    'infers those that "%s" leaves empty, and says how many',
    async (name) => {
      const rows = ['buy', 'sell', 'sell', 'sell', 'sell', ''].map((side, at) => {
        return `${START + at * 1000},${100 + at},2,${side}\n`;
      });
      expect(await imported(`time,price,amount,${name}\n${rows.join('')}`)).toEqual({
        told: [
          'btc_usdt.csv holds 1 of 6 trades without a known side (""), it is inferred: a rise is a ' +
            'buy, a fall a sell',
        ],
        sides: [1, -1, -1, -1, -1, 1],
      });
    },
  );

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
      const amounts = [1, 1, 1, 1, 1, 1, 1, 1, -3];
      const text = amounts.map((amount, at) => `${START + at},100,${amount}\n`).join('');
      const dataset = await datasetOf(
        'btc_usdt.csv',
        `time,price,amount\n${text}`,
        mapping === undefined ? {} : { mapping },
      );
      const rows = await rowsOf(dataset);
      expect(rows.map((row) => row.slice(3)).slice(-2)).toEqual([
        [1, 1],
        [3, -1],
      ]);
    },
  );
});

describe('sideIn, of Bitstamp,', () => {
  it('reads a "type" of 1 as a sell and of 0 as a buy, as of Bitstamp, and says so', async () => {
    const told = [
      'btc_usdt.csv: a "type" of 0 is taken for a buy and 1 for a sell, as Bitstamp has it',
    ];
    expect(await imported(trades('type', [1, 0]))).toEqual({ told, sides: [-1, 1] });
    expect(await imported(trades('type', [1, 1]))).toEqual({ told, sides: [-1, -1] });
  });

  it.each(['amount,date,price,tid,type', 'amount,timestamp,price,microtimestamp,type'])(
    'says nothing where the columns are those of Bitstamp: %s',
    async (heading) => {
      const us = START * 1000 + 250;
      const text = `${heading}\n2,${START / 1000},100,${us},0\n`;
      const { told, sides } = await imported(text);
      expect({ told, sides }).toEqual({ told: [], sides: [1] });
    },
  );

  it('takes the finer one of two times of Bitstamp', async () => {
    const [seconds, us] = [START / 1000, START * 1000 + 250_250];
    const text = `id,timestamp,microtimestamp,price,amount,type\n1,${seconds},${us},100,2,0\n`;
    const dataset = await datasetOf('btc_usd.csv', text);
    expect(await timesOf(dataset)).toEqual([START + 250.25]);
  });
});

describe('sideIn, of columns that tell none,', () => {
  it('takes the type of orders for no side', async () => {
    const { told, sides } = await imported(trades('type', ['limit', 'market']));
    expect(told).toEqual([expect.stringContaining('no column that is known to tell sides')]);
    expect(sides).toEqual([1, 1]);
  });

  it.each(['side', 'TakerSide'])(
    'refuses a "%s" of 1 alone, which is a buy for some and a sell for others',
    async (heading) => {
      await expect(imported(trades(heading, [1, 1]))).rejects.toThrow('is "1", buy or sell');
      const export_ = `time,received,id,price,amount,side\n${START},,7,100,2,1\n`;
      expect((await imported(export_)).sides).toEqual([1]);
    },
  );

  it('refuses a number that is neither', async () => {
    await expect(imported(trades('side', [1, 2]))).rejects.toThrow(
      'line 2: the side (column side) is "1", buy or sell is wanted (a mapping with "sides" says ' +
        'what else is a buy and a sell)',
    );
    await expect(imported(trades('type', [1, 2]))).rejects.toThrow(
      'line 3: the side (column type) is "2", 0 or 1 is wanted (a mapping',
    );
    await expect(imported(trades('taker_side_sell', ['true', '?']))).rejects.toThrow(
      'line 3: the side (column taker_side_sell) is "?", true or false is wanted (a mapping',
    );
  });

  it.each(['maker_side', 'sell', 'is_buy'])(
    'says of trades with none but "%s" that they are inferred, and what would read it',
    async (heading) => {
      expect(await imported(trades(heading, ['sell', 'sell']))).toEqual({
        told: [
          'btc_usdt.csv has no column that is known to tell sides, they are inferred: a rise is a buy, ' +
            `a fall a sell; if "${heading}" tells them, a mapping with "sides" says how`,
        ],
        sides: [1, 1],
      });
    },
  );
});

describe('sideIn, as a mapping tells it,', () => {
  const mapping: Mapping = {
    ...{ kind: 'trades', market: 'btc_usdt', sides: { buy: [2, 'up'], sell: false } },
    columns: { time: 'time', price: 'price', amount: 'amount', side: 'is_buy' },
  };

  it('reads what it says is a buy and a sell', async () => {
    const rows = await rowsOf(
      await datasetOf('trades.csv', trades('is_buy', ['False', ' UP']), { mapping }),
    );
    expect(rows.map((row) => row.at(-1))).toEqual([-1, 1]);
  });

  it('refuses anything else', async () => {
    await expect(
      datasetOf('trades.csv', trades('is_buy', [2, 'buy']), { mapping }),
    ).rejects.toThrow(
      'line 3: the side (column is_buy) is "buy", "2", "up" or "false" is wanted (a mapping',
    );
  });
});

it('sideIn wants the column that a mapping tells the sides of', () => {
  const columns = { time: 1, price: 2, amount: 3 };
  const read = (more: object) =>
    mappingSchema.safeParse({ kind: 'trades', sides: { buy: 0, sell: [1, 2] }, ...more });
  expect(read({ columns: { ...columns, side: 4 } }).success).toBe(true);
  expect(read({ columns }).error?.issues).toMatchObject([{ path: ['sides'] }]);
  expect(read({ columns: { ...columns, side: 4 }, sides: { buy: [], sell: 1 } }).success).toBe(
    false,
  );
});

describe('sideIn, of a type,', () => {
  it.each([[[1, 1, 1, 1, 1, 1, -1]], [[1, -1, 1]]])(
    'reads a "type" of 1 as a buy where there is a -1, too: %j',
    async (types) => {
      const rows = types.map((type, at) => `${START + at},100,2,${type}\n`);
      const dataset = await datasetOf('btc_usdt.csv', `time,price,amount,type\n${rows.join('')}`);
      const sides = await rowsOf(dataset);
      expect(sides.map((row) => row.at(-1))).toEqual(types);
    },
  );
});
