import { describe, expect, it } from 'vitest';
import { datasetOf, rowsOf, START, Store } from '../store/fixture.ts';

const PRICES = 'time,open,high,low,close';

/** Minutes around 100 with the volumes that are given, a list a candle. */
function table(headings: string, ...volumes: readonly (readonly number[])[]): string {
  const rows = volumes.map((cells, at) => {
    return [START + at * 60_000, 100, 101, 99, 100, ...cells].join(',');
  });
  return `${PRICES},${headings}\n${rows.join('\n')}\n`;
}

async function imported(text: string) {
  const store = new Store();
  const told = await store.told(store.file('btc_usdt.csv', text));
  const rows = await rowsOf(store.dataset('local.btc_usdt.1min'));
  return { told, volumes: rows.map((row) => row[5]) };
}

describe('volumeColumn', () => {
  it.each([
    ['amount,vol', [2, 200], [3, 301], '"vol" counts the quote currency'],
    ['volume,quoteVolume', [200, 2], [301, 3], '"volume" counts the quote currency'],
    ['vol,vol_ccy,vol_quote', [20, 2, 200], [30, 3, 301], '"vol" counts neither currency'],
    ['volume,amount,turnover', [20, 2, 200], [30, 3, 301], '"volume" counts neither currency'],
  ])(
    'is the one of %s that the prices show to be in the base currency',
    async (headings, ...of) => {
      const [first, second, fault] = of;
      const { told, volumes } = await imported(table(headings, first, second));
      expect(volumes).toEqual([2, 3]);
      const [, taken] = /^(?:vol,|volume,)?(amount|quoteVolume|vol_ccy)/.exec(headings)!;
      expect(told).toEqual([
        expect.stringMatching(`^btc_usdt.csv: ${fault}, the volume is taken from "${taken}"`),
      ]);
      expect(told[0]!.endsWith('BTC_ETH is eth_btc')).toBe(taken === 'quoteVolume');
    },
  );
});

it.each(['amount', 'turnover', 'qty', 'quote_volume', 'size', 'Volume XYZ'])(
  'volumesIn know that one headed "%s" alone may be in either currency: it is refused',
  async (heading) => {
    await expect(imported(table(heading, [2], [3]))).rejects.toThrow(
      `none of its columns is headed "volume" and "${heading}" may not be in the base currency`,
    );
  },
);

describe('volumeColumn, where nothing speaks against a heading,', () => {
  it.each([
    ['volume,quote_volume', [2, 200], [3, 301]],
    ['volume,quote_volume', [2, 2], [3, 3]],
    ['volume,vol_quote', [2, 200], [0, 0]],
    ['volume,count,taker_buy_volume', [2, 1, 1], [3, 5, 2]],
    ['volume,amount', [2, 7], [3, 8]],
    ['volume,amount', [200, 2], [3, 8]],
    ['volume,volatility', [50, 0.5], [60, 0.6]],
    ['volume,avg_trade_qty', [50, 0.5], [60, 0.6]],
    ['volume,quote_volume,vol_ma,quote_vol_ma', [2, 200, 3, 300], [4, 401, 5, 501]],
  ])('is the one that is headed so, as in %s, if nothing speaks against it', async (...given) => {
    const [headings, first, second] = given;
    const { told, volumes } = await imported(table(headings, first, second));
    expect({ told, volumes }).toEqual({ told: [], volumes: [first[0], second[0]] });
  });

  it('is the one that is headed so at prices near one, which tell amounts of no currency apart', async () => {
    const text = table('volume,volume_ma', [200, 201], [300, 299]);
    const { told, volumes } = await imported(text.replaceAll('100,101,99,100', '1,1.001,0.999,1'));
    expect({ told, volumes }).toEqual({ told: [], volumes: [200, 300] });
    const averages = table('volume,volume_ma,volume_ema', [2, 201, 200], [3, 299, 300]);
    expect(
      (await imported(averages.replaceAll('100,101,99,100', '1,1.001,0.999,1'))).volumes,
    ).toEqual([2, 3]);
  });

  it.each([
    ['Volume_(BTC),Volume_(Currency)', [2, 200], [3, 301]],
    ['volumefrom,volumeto', [2, 200], [3, 301]],
  ])('is the one of %s that prices show, where none is headed so', async (...given) => {
    const [headings, first, second] = given;
    const { told, volumes } = await imported(table(headings, first, second));
    const [base] = headings.split(',');
    const note = `btc_usdt.csv: the volume is taken from "${base}", as the prices show`;
    expect({ told, volumes }).toEqual({ told: [note], volumes: [2, 3] });
  });

  it('goes by no candle whose low is above its high', async () => {
    const text = table('volume,quoteVolume', [200, 2], [301, 3]).replace('101,99', '99,101');
    expect((await imported(text)).volumes).toEqual([200, 301]);
    const more = table('volume,quoteVolume', [7, 2], [200, 2], [301, 3]).replace(
      '101,99',
      '99,101',
    );
    expect((await imported(more)).volumes).toEqual([2, 2, 3]);
  });

  it('goes by two candles with a volume at least, and by no others', async () => {
    const one = await imported(table('amount,vol', [2, 200], [0, 0]));
    expect(one.volumes).toEqual([200, 0]);
    const two = await imported(table('amount,vol', [2, 200], [0, 0], [3, 301]));
    expect(two.volumes).toEqual([2, 0, 3]);
  });
});

describe('volumeColumn, of candles that are empty at first,', () => {
  it("is told by the prices behind hours without any, as of Kaggle's minutes of Bitstamp", async () => {
    const rows = Array.from({ length: 500 }, (_, at) => {
      const cells = at % 480 === 0 ? [100, 101, 99, 100, 2, 200] : Array(6).fill('NaN');
      return `${[START + at * 60_000, ...cells]}\n`;
    });
    const rest = `${START + 30_000_000},100,101,99,100,3,300\n${START + 30_060_000},100,101,99,100,4,400\n`;
    const { volumes } = await imported(
      `${PRICES},Volume_(BTC),Volume_(Currency)\n${rows.join('')}${rest}`,
    );
    expect(volumes).toEqual([2, 2, 3, 4]);
  });
});

describe('amountColumn', () => {
  it.each([
    ['volume,amount', [2, 200], [3, 300], '"amount" counts the quote currency', 'volume'],
    ['amount,size', [2, 200], [3, 300], undefined, 'amount'],
    ['amount,volume', [2, 7], [3, 8], undefined, 'amount'],
    ['amount,volume', [2, 0.02], [3, 8], undefined, 'amount'],
  ])('is the one of %s of trades that others are worth: %j, %j', async (...of) => {
    const [headings, first, second, fault, taken] = of;
    const store = new Store();
    const rows = [first, second].map((cells, at) => `${START + at},100,buy,${cells.join(',')}\n`);
    const text = `time,price,side,${headings}\n${rows.join('')}`;
    expect(await store.told(store.file('btc_usdt.csv', text))).toEqual(
      fault === undefined ? [] : [`btc_usdt.csv: ${fault}, the amount is taken from "${taken}"`],
    );
    const amounts = (await rowsOf(store.dataset('local.btc_usdt.trades'))).map((row) => row[3]);
    expect(amounts).toEqual([2, 3]);
  });

  it('is told by prices below one too', async () => {
    const rows = [1, 2].map((at) => `${START + at},0.1,buy,${10 * at},${at}\n`);
    const dataset = await datasetOf(
      'doge_usdt.csv',
      `time,price,side,volume,amount\n${rows.join('')}`,
    );
    const amounts = (await rowsOf(dataset)).map((row) => row[3]);
    expect(amounts).toEqual([10, 20]);
  });
});
