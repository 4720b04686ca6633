import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, START, Store, toldOf } from '../../store/fixture.ts';

const BARS = 'ts_event,rtype,publisher_id,instrument_id,open,high,low,close,volume,symbol';
const TRADES =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,' +
  'ts_in_delta,sequence,symbol';
const MARKET = { market: 'es_usd' };

const iso = (ms: number): string => new Date(ms).toISOString().replace('Z', '000000Z');
const ns = (ms: number): string => `${ms}000000`;
const fixed = (price: number): string => `${price * 1e9}`;
const pretty = (price: number): string => price.toFixed(9);

type Written = readonly [time: (ms: number) => string, price: (price: number) => string];
const WAYS: readonly Written[] = [
  [ns, fixed],
  [iso, pretty],
  [(ms) => iso(ms).replace('T', ' ').replace('Z', '+00:00'), (price) => price.toFixed(2)],
];

function bars([time, price]: Written, symbol = 'ESH4'): string {
  const rows = [0, 60_000].map((ms) => {
    const prices = [4108.5, 4109, 4108, 4108.75].map(price);
    return [time(START + ms), 33, 1, 5482, ...prices, 120, symbol].join();
  });
  return `${BARS}\n${rows.join('\n')}\n`;
}

function trades([time, price]: Written, actions = 'TTT'): string {
  const rows = ['B', 'A', 'N'].map((side, at) => {
    const stamps = [time(START + at + 1), time(START + at)];
    const cells = [...stamps, 0, 1, 5482, actions[at], side, 0, price(4108.5 - at), 3, 0, 9, at];
    return [...cells, 'ESH4'].join();
  });
  return `${TRADES}\n${rows.join('\n')}\n`;
}

describe('databentoCandles', () => {
  it('reads stamps and prices in each of the ways in which they are written', async () => {
    for (const way of WAYS) {
      const dataset = await datasetOf('bars.csv', bars(way), MARKET);
      expect(dataset).toMatchObject({ id: 'databento.es_usd.1min', priceScale: 2 });
      expect(dataset.sources[0]!.amountUnit).toBe('contracts');
      expect(await rowsOf(dataset)).toEqual([
        [START, 4108.5, 4109, 4108, 4108.75, 120],
        [START + 60_000, 4108.5, 4109, 4108, 4108.75, 120],
      ]);
    }
  });

  it.each([
    ['of which some have decimals', ['4108.5', '4109', '4108', '4108.75']],
    ['that are whole', ['4108', '4109', '4107', '4108']],
    ['below zero in units of 1e-9', ['-37500000000', '-36000000000', '-38000000000', '0']],
  ])('reads prices %s', async (_which, prices) => {
    const rows = [0, 60_000].map((ms) => [iso(START + ms), 33, 1, 5482, ...prices, 120, 'ES.c.0']);
    const [first] = await rowsOf(
      await datasetOf('bars.csv', `${BARS}\n${rows.map((row) => row.join()).join('\n')}\n`, MARKET),
    );
    const by = Math.abs(Number(prices[0])) > 1e6 ? 1e9 : 1;
    expect(first!.slice(1, 5)).toEqual(prices.map((price) => Number(price) / by));
  });

  it.each([
    ['ESM24-ESU24', 'contracts'],
    ['ES.c.0', 'contracts'],
    ['AAPL', undefined],
    ['BRK.B', undefined],
  ])('of %s counts %s', async (symbol, unit) => {
    expect(
      (await datasetOf('bars.csv', bars(WAYS[0]!, symbol), MARKET)).sources[0]!.amountUnit,
    ).toBe(unit);
  });
});

describe('databentoTrades', () => {
  it('reads the side that took, and infers one that is not told', async () => {
    for (const way of WAYS) {
      const store = new Store();
      const told = await store.told(store.file('trades.csv', trades(way)), MARKET);
      expect(told).toContain(
        'trades.csv holds 1 of 3 trades without a known side ("N"), it is inferred: a rise is a ' +
          'buy, a fall a sell',
      );
      expect(await rowsOf(store.dataset('databento.es_usd.trades'))).toEqual([
        [START, START + 1, 4108.5, 3, 1],
        [START + 1, START + 2, 4107.5, 3, -1],
        [START + 2, START + 3, 4106.5, 3, -1],
      ]);
    }
  });

  it('leaves out changes of the book that stand behind many trades', async () => {
    const store = new Store();
    const [heading, ...rows] = trades(WAYS[0]!).trimEnd().split('\n');
    const many = Array.from({ length: 1_002 }, (_, at) => rows[at % 3]!);
    const text = [heading, ...many, ...rows.map((row) => row.replace(',T,', ',A,'))].join('\n');
    const told = await store.told(store.file('mbp-1.csv', `${text}\n`), MARKET);
    expect(told).toContain(
      'mbp-1.csv holds 3 of 1,005 trades that are changes of the book or have no price: left out',
    );
    expect(store.dataset('databento.es_usd.trades').rows).toBe(1_002);
  });

  it('tells how many sides it infers, wherever they stand', async () => {
    const [heading, buy, , untold] = trades(WAYS[0]!).trimEnd().split('\n');
    const text = [heading, ...Array.from({ length: 1_002 }, () => buy), untold, ''].join('\n');
    expect(await toldOf('trades.csv', text, MARKET)).toContain(
      'trades.csv holds 1 of 1,003 trades without a known side ("N"), it is inferred: a rise is a ' +
        'buy, a fall a sell',
    );
  });

  it.each(['9223372036854775807', '9223372036.854775807', ''])(
    'leaves out a trade whose price is not defined: "%s"',
    async (undefined_) => {
      const store = new Store();
      const text = trades(WAYS[0]!).replace(fixed(4107.5), undefined_);
      const told = await store.told(store.file('trades.csv', text), MARKET);
      expect(told).toContain(
        'trades.csv holds 1 of 3 trades that are changes of the book or have no price: left out',
      );
      const rows = await rowsOf(store.dataset('databento.es_usd.trades'));
      expect(rows.map((row) => row[2])).toEqual([4108.5, 4106.5]);
    },
  );

  it('refuses changes of the book beside trades', async () => {
    await expect(datasetOf('mbp-1.csv', trades(WAYS[0]!, 'TAT'), MARKET)).rejects.toThrow(
      'Cannot import mbp-1.csv: it holds changes of the book beside trades, a file of the schema',
    );
  });
});
