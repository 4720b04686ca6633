import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { HistoryError } from '../../src/history/index.ts';
import { RawReader } from '../../src/history/raw.ts';
import { describeRecording, openRecording, readerOf } from '../../src/history/recording.ts';
import { TradesCsvReader } from '../../src/history/trades-csv.ts';
import { JsonArrayReader, TradesJsonReader } from '../../src/history/trades-json.ts';
import { dataFile } from '../recordings.ts';
import { all, fileSource, recordsOf, sourceOf } from './fixture.ts';

const ROWS = [
  [1570752011620, '13519807', null, 'sell', 0.00141342, 23, 0.03250866],
  [1570752017964, '13519809', null, 'buy', 0.00141266, 8.5, 0.01130128],
];
const TRADES = [
  {
    ...{ kind: 'trade', time: 1570752011620, id: '13519807' },
    ...{ price: 0.00141342, amount: 23, takerSide: 'sell' },
  },
  {
    ...{ kind: 'trade', time: 1570752017964, id: '13519809' },
    ...{ price: 0.00141266, amount: 8.5, takerSide: 'buy' },
  },
];
const CSV = `time,id,price,amount,side
1570752011620,13519807,0.00141342,23,sell
1570752017964,13519809,0.00141266,8.5,buy
`;

describe('openRecording', () => {
  it('reads the same trades from every form', async () => {
    const objects = ROWS.map(([time, id, , side, price, amount]) => ({
      ...{ timestamp: time, id, side, price, amount },
    }));
    const forms = [
      JSON.stringify(ROWS),
      JSON.stringify(ROWS, null, 2),
      JSON.stringify(objects),
      ROWS.map((row) => JSON.stringify(row)).join('\n'),
      objects.map((row) => JSON.stringify(row)).join('\r\n'),
      CSV,
      CSV.replaceAll(',', ';'),
      CSV.replaceAll('1570752011620', '2019-10-11T00:00:11.620Z'),
      CSV.replace('time,id,price,amount,side', 'Date,Trade_ID,Price,"Qty",Taker Side'),
      `\uFEFF${CSV}`,
    ];
    for (const form of forms) expect(await recordsOf(form)).toEqual(TRADES);
  });

  it('reads plain and gzip alike, however the bytes are cut', async () => {
    const packed = gzipSync(CSV);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (chunkBytes) => {
        const options = { name: 'trades' };
        expect(await all(openRecording(sourceOf(CSV, chunkBytes), options))).toEqual(TRADES);
        expect(await all(openRecording(sourceOf(packed, chunkBytes), options))).toEqual(TRADES);
      }),
      { seed: 1, numRuns: 40 },
    );
  });

  it('reads one gzip behind the other: a recording that goes on in a second file', async () => {
    const [heading, first, second] = CSV.split('\n');
    const both = Buffer.concat([gzipSync(`${heading}\n${first}\n`), gzipSync(`${second}\n`)]);
    expect(await recordsOf(both)).toEqual(TRADES);
  });

  it('can be iterated again, as its source can', async () => {
    const recording = openRecording(sourceOf(CSV), { name: 'trades' });
    expect([await all(recording), await all(recording)]).toEqual([TRADES, TRADES]);
  });

  it('reads no further than it is asked to, and closes its source', async () => {
    for (const pack of [(bytes: Buffer) => bytes, gzipSync]) {
      let chunks = 0;
      let closed = false;
      const endless = async function* (): AsyncGenerator<Uint8Array> {
        try {
          yield pack(Buffer.from('time,price,amount\n'));
          for (; ; chunks++) yield pack(Buffer.from('1570752011620,1,1\n'.repeat(5_000)));
        } finally {
          closed = true;
        }
      };
      for await (const record of openRecording(endless(), { name: 'endless' })) {
        if (record.kind === 'trade' && record.id === '10000') break;
      }
      await vi.waitFor(() => expect(closed).toBe(true));
      expect(chunks).toBeLessThan(500);
    }
  });
});

describe('openRecording on what it cannot read', () => {
  it('is empty for an empty file', async () => {
    expect(await recordsOf('')).toEqual([]);
  });

  it.each([
    ['hello', 'file:1: it begins with "hello"'],
    [`${CSV}1570752017964,1,x,1,buy`, 'file:4: the price is "x", a number is wanted'],
    [`${CSV}1570752017964,1,5`, 'file:4: the row has 3 columns, 5 are wanted'],
    [`${CSV}1570752017964`, 'file:4: the row has 1 column, 5 are wanted'],
    [`${CSV}\n\n1570752017964,1,5,1,up`, 'file:6: the side is "up", buy or sell is wanted'],
    ['id,price,amount\n', 'file:1: the heading has no time'],
    ['date,open,high,low,close\n', 'file:1: it holds candles'],
    ['1,2,3,4\n', 'file:1: there is no heading and the row has 4 columns'],
    ['[[1570752011620,"1",null,"sell",1,0]]', 'file: row 1: the amount is 0'],
    ['{"time":1570752011620,"price":1}', 'file:1: the amount is missing'],
    ['[[1570752011620,', 'file: '],
  ])('names the place of what it cannot read: %j', async (text, message) => {
    const reading = recordsOf(text);
    await expect(reading).rejects.toThrow(`Cannot read recording: ${message}`);
    await expect(reading).rejects.toBeInstanceOf(HistoryError);
  });

  it('tells gzip that is cut off, bytes that are no text and a source that fails', async () => {
    const cut = gzipSync(CSV).subarray(0, -20);
    await expect(recordsOf(cut, 'cut.gz')).rejects.toThrow(
      'Cannot read recording: cut.gz: it breaks off, a whole file is wanted',
    );
    await expect(recordsOf(new Uint8Array([0xff, 0xfe, 0xfd]))).rejects.toThrow('not UTF-8');
    for (const bytes of [Buffer.from(CSV), gzipSync(CSV).subarray(0, -20)]) {
      const failing = async function* (): AsyncGenerator<Uint8Array> {
        yield bytes;
        throw new Error('the disk is gone');
      };
      const reading = all(openRecording(failing(), { name: 'x' }));
      await expect(reading).rejects.toThrow('Cannot read recording: x: the disk is gone');
    }
  });
});

describe('tables without sides or headings', () => {
  it('infers the side by the tick rule', async () => {
    const rows = ['1672531436,90.5,1', '1672531437,90.4,1', '1672531438,90.4,1'];
    const records = await recordsOf([...rows, '1672531439,90.6,1'].join('\n'));
    expect(records.map((record) => 'takerSide' in record && record.takerSide)).toEqual([
      ...['buy', 'sell', 'sell', 'buy'],
    ]);
    expect(records.map((record) => 'id' in record && record.id)).toEqual(['1', '2', '3', '4']);
  });

  it('knows the dumps of Binance, trades and aggregates, from the maker flag', async () => {
    const trade = '3735683259,61837.63,0.02,1236.75,1723161255342,True,True';
    const aggregate = '3135683259,61837.63,0.02,3735683259,3735683260,1723161255342,true,true';
    const heading = 'id,price,qty,quote_qty,time,is_buyer_maker';
    const micro = '3735683259,61837.63,0.02,1236.75,1723161255342000,true';
    for (const text of [trade, aggregate, `${heading}\n${micro}`]) {
      expect(await recordsOf(text)).toMatchObject([
        { time: 1723161255342, price: 61837.63, amount: 0.02, takerSide: 'sell' },
      ]);
    }
    expect(await recordsOf(aggregate.replace('true', 'False'))).toMatchObject([
      { takerSide: 'buy' },
    ]);
    const broken = `${heading}\n${micro.replace('true', 'maybe')}`;
    await expect(recordsOf(broken)).rejects.toThrow('"buyer is maker" is "maybe"');
  });

  it('takes the flag of Kaiko for what the taker did', async () => {
    const csv = 'timestamp,price,amount,taker_side_sell\n1570752011620,10,1,true\n';
    expect(await recordsOf(csv)).toMatchObject([{ takerSide: 'sell' }]);
  });

  it('turns no maker into a taker: what may be of Coinbase is for the import', async () => {
    const csv = 'time,trade_id,side,price,size\n2024-01-31T10:00:00Z,7,buy,10,1\n';
    await expect(recordsOf(csv)).rejects.toThrow('a dataset that tradewind data import makes');
  });

  it.each([
    ['time,price,amount,size,side\n', 'it has amounts as "amount" and "size", a dataset that'],
    ['date,price,amount,sell\n', 'its "sell" may tell sides, as Kaiko\'s does, a dataset that'],
    ['{"time":1570752011620,"trade_id":7,"side":"buy","price":1,"size":1}', 'the sides of makers'],
    ['time,trade_id,product_id,side,price,size\n', 'the sides of makers'],
    ['when,price,amount\n', 'or a dataset that tradewind data import makes of it'],
    [
      'time,symbol,price,amount\n1570752011620,A,1,1\n1570752011621,B,1,1\n',
      'file:3: it holds A and B, one market is wanted',
    ],
  ])('leaves to the import what headings alone do not tell: %j', async (text, message) => {
    await expect(recordsOf(text)).rejects.toThrow(message);
  });

  it('reads fields of JSON by the names that an import knows', async () => {
    const fields = { timestamp: 1570752011620, trade_id: '7', price: '2', qty: '3' };
    for (const [name, flag] of [
      ['taker_side_sell', true],
      ['isBuyerMaker', 1],
      ['aggressor_side', 'SELL'],
    ] as const) {
      expect(await recordsOf(JSON.stringify({ ...fields, [name]: flag }))).toEqual([
        { kind: 'trade', time: 1570752011620, id: '7', price: 2, amount: 3, takerSide: 'sell' },
      ]);
    }
  });
});

describe('tables and objects of other exchanges', () => {
  it('knows the fields of other exchanges by their names, and when a trade was heard', async () => {
    const time = 1570752011620;
    for (const [date, id, size, type] of [
      ['date', 'tid', 'size', 'type'],
      ['time', 'id', 'quantity', 'side'],
      ['datetime', 'id', 'amount', 'side'],
    ] as const) {
      const fields = { [date]: time, [id]: 7, price: 2, [size]: 3, [type]: 'ask' };
      expect(await recordsOf(JSON.stringify(fields))).toEqual([
        { kind: 'trade', time, id: '7', price: 2, amount: 3, takerSide: 'sell' },
      ]);
    }
    const table = `timestamp,local_timestamp,id,price,amount,side\n${time}000,${time}005,7,2,3,buy`;
    expect(await recordsOf(table)).toMatchObject([{ time, receivedTime: time + 0.005 }]);
  });

  const vendors = [
    ['kraken-trades-BCHEUR.csv', 148, 'bch_eur'],
    ['bybit-trades-FXSUSDT.csv', 15, 'fxs_usdt'],
    ['tardis-bitmex_trades_XBTUSD.csv', 10, 'xbt_usd'],
  ] as const;
  for (const [name, count, marketId] of vendors) {
    const file = dataFile(`vendor/${name}`);
    it.skipIf(file === undefined)(`reads ${name}`, async () => {
      const records = await all(openRecording(fileSource(file!), { name }));
      expect(records.filter(({ kind }) => kind === 'trade')).toHaveLength(count);
      expect(await describeRecording(fileSource(file!), { name })).toMatchObject({ marketId });
    });
  }
});

describe('describeRecording', () => {
  it('tells market and scales', async () => {
    expect(await describeRecording(sourceOf(CSV), { name: '/data/XRP_ETH-trades.csv.gz' })).toEqual(
      {
        ...{ marketId: 'xrp_eth', priceScale: 8, amountScale: 1, firstPrice: 0.00141342 },
      },
    );
  });

  it('goes by the symbol in the records before the name', async () => {
    const text = 'symbol,time,price,amount\nETHUSDC,1570752011620,1,1';
    const json = '{"symbol":"ETHUSDC","time":1570752011620,"price":1,"amount":1}';
    for (const source of [sourceOf(text), sourceOf(json)]) {
      const { marketId } = await describeRecording(source, { name: 'btcusdt.csv' });
      expect(marketId).toBe('eth_usdc');
    }
  });

  it('refuses a recording without a record', async () => {
    const describing = describeRecording(sourceOf(''), { name: 'empty' });
    await expect(describing).rejects.toThrow('Cannot read recording: empty: it holds no record');
  });

  const tape = dataFile('trades/XRP_ETH-trades.json.gz');
  it.skipIf(tape === undefined)('finds 12477 trades of XRP_ETH', async () => {
    const name = 'XRP_ETH-trades.json.gz';
    expect(await all(openRecording(fileSource(tape!), { name }))).toHaveLength(12_477);
    expect(await describeRecording(fileSource(tape!), { name })).toEqual({
      ...{ marketId: 'xrp_eth', priceScale: 8, amountScale: 0, firstPrice: 0.00141342 },
    });
  });
});

describe('readerOf', () => {
  it('goes by the first line', () => {
    expect(readerOf('1723161254087896568 {"stream":""}')).toBeInstanceOf(RawReader);
    expect(readerOf('[')).toBeInstanceOf(JsonArrayReader);
    expect(readerOf('[{"a":1}]')).toBeInstanceOf(JsonArrayReader);
    expect(readerOf('[1570752011620, "1"]')).toBeInstanceOf(TradesJsonReader);
    expect(readerOf('{"price":1}')).toBeInstanceOf(TradesJsonReader);
    expect(readerOf('a;b;c')).toBeInstanceOf(TradesCsvReader);
    expect(() => readerOf('a,b')).toThrow(TypeError);
  });
});
