import { describe, expect, it } from 'vitest';
import { candle, candles, csv, MINUTE_MS, START, Store, toldOf } from '../fixture.ts';

const SHOWN = '; `tradewind data check` shows them';

function at(ms: number): string {
  return new Date(START + ms).toISOString();
}

/** What the check of a dataset finds, in the order of an import. */
async function checked(store: Store, id: string): Promise<string[]> {
  const { findings } = await store.check(id);
  const told = ['duplicate', 'conflict', 'disorder'];
  return told.flatMap((fault) =>
    findings.filter((one) => one.fault === fault).map(({ count }) => `${fault} ${count}`),
  );
}

describe('importFiles, of rows that repeat each other or are in disorder,', () => {
  it('tells of candles what a check finds: how many, and the first place', async () => {
    const store = new Store();
    const rows = [...candles(0, 50), candle(7), candle(8), candle(9, 500)];
    const file = store.file('BTCUSDT.csv', csv(rows));
    expect(await store.told(file)).toEqual([
      `local.btc_usdt.1min has 2 duplicates (the first at ${at(7 * MINUTE_MS)} in BTCUSDT.csv), ` +
        `1 conflict (the first at ${at(9 * MINUTE_MS)} in BTCUSDT.csv) and 1 row in disorder ` +
        `(the first at ${at(7 * MINUTE_MS)} in BTCUSDT.csv)${SHOWN}`,
    ]);
    expect(await checked(store, 'local.btc_usdt.1min')).toEqual([
      ...['duplicate 2', 'conflict 1', 'disorder 1'],
    ]);
  });

  it('tells of trades with ids, in the file where they are', async () => {
    const store = new Store();
    const heading = 'time,id,price,amount,side\n';
    const trade = (second: number, id: string, price = 100) =>
      `${START + second * 1_000},${id},${price},1,buy\n`;
    const files = [
      store.file('a.csv', heading + trade(0, 'a') + trade(1, 'b')),
      store.file('b.csv', heading + trade(2, 'c') + trade(3, 'd') + trade(3, 'd') + trade(4, 'c')),
    ];
    expect(await store.told(files, { market: 'btc_usdt' })).toEqual([
      `local.btc_usdt.trades has 1 duplicate (the first at ${at(3_000)} in b.csv) and ` +
        `1 conflict (the first at ${at(2_000)} in b.csv)${SHOWN}`,
    ]);
    expect(await checked(store, 'local.btc_usdt.trades')).toEqual(['duplicate 1', 'conflict 1']);
  });

  it('says nothing of equal trades without ids, which may both have been', async () => {
    const row = `${START},100,1,buy\n`;
    expect(await toldOf('BTCUSDT.csv', `time,price,amount,side\n${row}${row}`)).toEqual([]);
  });

  it('tells of equal quotes', async () => {
    const row = `${START},100,1,101,2\n`;
    expect(await toldOf('BTCUSDT.csv', `time,bid,bid_amount,ask,ask_amount\n${row}${row}`)).toEqual(
      [`local.btc_usdt.quotes has 1 duplicate (the first at ${at(0)} in BTCUSDT.csv)${SHOWN}`],
    );
  });

  it('says nothing of depth, whose rows keep the order of their coming', async () => {
    const heading = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount\n';
    const level = (ms: number) =>
      `binance,BTCUSDT,${START + ms}000,${START + ms}000,true,bid,100,6\n`;
    expect(await toldOf('depth.csv', heading + level(2) + level(1) + level(1) + level(3))).toEqual(
      [],
    );
  });

  it('says nothing of those that were left out', async () => {
    const store = new Store();
    const file = store.file('BTCUSDT.csv', csv([...candles(0, 5), ...candles(4, 5)]));
    expect(await store.told(file, { dropDuplicates: true })).toEqual([]);
    const market = 'btc_usdt';
    const more = store.file('b.csv', csv([...candles(3, 8), ...candles(4, 5)]));
    expect(await store.told(more, { market, overlap: 'append' })).toEqual([
      expect.stringMatching(/ has 1 row in disorder \(/),
    ]);
  });
});

it('importFiles takes newest first for an order that single rows are out of', async () => {
  const rows = candles(0, 50).toReversed();
  const [late] = rows.splice(20, 1);
  rows.splice(30, 0, late!);
  // Of the two that are out of order to each other, the one that stands above in time's order.
  expect(await toldOf('BTCUSDT.csv', csv(rows))).toEqual([
    'local.btc_usdt.1min has 1 row in disorder (the first at ' +
      `${at(19 * MINUTE_MS)} in BTCUSDT.csv)${SHOWN}`,
  ]);
});
