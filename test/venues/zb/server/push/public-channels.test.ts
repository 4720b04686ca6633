import { NEVER, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { INTERVALS, type Ticker, type Trade } from '../../../../../src/domain/index.ts';
import { CANDLE, DEPTH, sessionFixture, TICKER, TRADE } from '../fixture.ts';

describe('ticker channel', () => {
  it('sends data at once, without acknowledgement, then what comes', () => {
    const { add, frames, feeds, heard } = sessionFixture();
    add('btcusdt_ticker');
    expect(frames.splice(0)).toEqual([
      '{"date":"1653781987181","ticker":{"high":"29249.63","vol":"4499.6492","last":"29046.17",' +
        '"low":"28527.54","buy":"29039.24","sell":"29056.69","open":"28598.8","riseRate":"1.57"},' +
        '"dataType":"ticker","channel":"btcusdt_ticker"}',
    ]);
    feeds.ticker.next({ ...TICKER, last: 1e-7 });
    expect(heard()).toMatchObject([{ ticker: { last: '0.0000001' } }]);
  });

  it('drops a snapshot that comes after something newer', () => {
    const snapshot = new Subject<Ticker>();
    const { add, feeds, heard } = sessionFixture({ market: { ticker: () => snapshot } });
    add('btcusdt_ticker');
    feeds.ticker.next({ ...TICKER, last: 2 });
    snapshot.next({ ...TICKER, last: 1 });
    expect(heard().map(({ ticker }) => ticker.last)).toEqual(['2']);
  });
});

describe('depth channel', () => {
  it('sends nothing where only the time has changed', () => {
    const { add, heard, feeds } = sessionFixture();
    add('btcusdt_depth');
    add('btcusdt_ticker');
    add('btcusdt_quick_depth');
    expect(heard()).toHaveLength(3);
    feeds.depth.next({ ...DEPTH, exchangeTime: DEPTH.exchangeTime + 1_000 });
    feeds.ticker.next({ ...TICKER, exchangeTime: TICKER.exchangeTime + 1_000 });
    expect(heard()).toEqual([]);
    feeds.depth.next({ ...DEPTH, bids: [], exchangeTime: 7_000 });
    expect(heard()).toMatchObject([
      { bids: [], timestamp: 7_000 },
      { listDown: [], lastTime: 7_000 },
    ]);
  });

  it('sends full snapshots in the dialect', () => {
    const documented = sessionFixture();
    documented.add('btcusdt_depth');
    documented.feeds.depth.next({ ...DEPTH, asks: [] });
    expect(documented.heard()).toEqual([
      {
        asks: DEPTH.asks,
        bids: DEPTH.bids,
        dataType: 'depth',
        channel: 'btcusdt_depth',
        timestamp: 1_653_997_711_250,
      },
      expect.objectContaining({ asks: [], bids: DEPTH.bids }),
    ]);
    const recorded = sessionFixture({ dialect: 'recorded' });
    recorded.add('btcusdt_depth');
    expect(recorded.heard()).toMatchObject([
      { asks: DEPTH.asks.toReversed(), bids: DEPTH.bids, timestamp: 1_653_997_711 },
    ]);
  });
});

describe('trades channel', () => {
  it('sends the newest trades, then batches, and nothing for an empty one', () => {
    const { add, feeds, heard } = sessionFixture({ dialect: 'recorded' });
    add('btcusdt_trades');
    feeds.trades.next([]);
    feeds.trades.next([{ ...TRADE, id: '2796890057', side: 'buy' }]);
    expect(heard()).toMatchObject([
      {
        data: [
          {
            date: 1_653_997_711,
            amount: '0.038',
            price: '29029.5',
            trade_type: 'ask',
            type: 'sell',
            tid: 2_796_890_056,
          },
        ],
        dataType: 'trades',
        channel: 'btcusdt_trades',
      },
      { data: [{ tid: 2_796_890_057, trade_type: 'bid', type: 'buy' }] },
    ]);
  });
});

describe('trades channel of many', () => {
  const trade = (id: number) => ({ ...TRADE, id: String(id) });
  const tids = (frames: { data: { tid: number }[] }[]) =>
    frames.map(({ data }) => data.map(({ tid }) => tid));

  it('sends each trade once, also to who joins between two', () => {
    const trades = () => of([trade(98), trade(99)]);
    const { open, feeds } = sessionFixture({ market: { trades } });
    const [early, late] = [open(), open()];
    early.add('btcusdt_trades');
    feeds.trades.next([trade(99), trade(100)]);
    late.add('btcusdt_trades');
    feeds.trades.next([trade(101)]);
    feeds.trades.next([trade(101)]);
    expect(tids(early.heard())).toEqual([[98, 99], [100], [101]]);
    expect(tids(late.heard())).toEqual([[98, 99, 100], [101]]);
  });

  it('begins with a page of fifty at the most', () => {
    const { open, feeds } = sessionFixture();
    open().add('btcusdt_trades');
    for (let id = 2_796_890_057; id < 2_796_890_157; id++) feeds.trades.next([trade(id)]);
    const late = open();
    late.add('btcusdt_trades');
    const [first] = tids(late.heard());
    expect([first?.length, first?.at(-1)]).toEqual([50, 2_796_890_156]);
  });

  it('loses nothing while the first page is awaited', () => {
    const page = new Subject<readonly Trade[]>();
    const { add, feeds, heard } = sessionFixture({ market: { trades: () => page } });
    add('btcusdt_trades');
    feeds.trades.next([trade(3)]);
    feeds.trades.next([trade(4)]);
    page.next([trade(2), trade(3)]);
    page.complete();
    expect(tids(heard())).toEqual([[2, 3], [4]]);
  });
});

describe('quick_depth channel', () => {
  it('has the top of the book beside the summary of the day', () => {
    const { add, heard } = sessionFixture();
    add('btcusdt_quick_depth', { length: 5 });
    expect(heard()).toEqual([
      {
        lastTime: DEPTH.exchangeTime,
        dataType: 'quickDepth',
        channel: 'btcusdt_quick_depth',
        currentPrice: 29_029.5,
        listDown: DEPTH.bids,
        listUp: DEPTH.asks,
        market: 'btcusdt',
        high: 29_249.63,
        low: 28_527.54,
        rate: '1.57',
        currentIsBuy: false,
        dayNumber: 4_499.6492,
        totalBtc: 4_499.6492,
        showMarket: 'btcusdt',
      },
    ]);
  });

  it('cuts to the length asked for, and comes with every depth', () => {
    const { open, feeds } = sessionFixture();
    const [five, ten] = [open(), open()];
    five.add('btcusdt_quick_depth');
    ten.add('btcusdt_quick_depth', { length: '10' });
    five.heard();
    ten.heard();
    const asks = Array.from({ length: 50 }, (_, at) => [30_000 + at, 1] as const);
    feeds.trades.next([{ ...TRADE, price: 31_000, side: 'buy' }]);
    feeds.depth.next({ ...DEPTH, asks });
    expect(five.heard()).toMatchObject([
      { listUp: asks.slice(0, 5), currentPrice: 31_000, currentIsBuy: true },
    ]);
    expect(ten.heard()).toMatchObject([{ listUp: asks.slice(0, 10) }]);
  });

  it.each([7, '7', '05', ' 5', 0, -5, 5.5, true])('is 3005 for the length %j', (length) => {
    const { add, heard } = sessionFixture();
    add('btcusdt_quick_depth', { length });
    expect(heard()).toMatchObject([{ code: 3005, channel: 'btcusdt_quick_depth' }]);
  });

  it.each([undefined, null, '', 5, '5', 10, '10', 20, '20'])('takes the length %j', (length) => {
    const { add, heard } = sessionFixture();
    add('btcusdt_quick_depth', { length });
    expect(heard()).toMatchObject([{ dataType: 'quickDepth' }]);
  });

  it('has the asks lowest first in the recorded dialect too', () => {
    const { add, heard } = sessionFixture({ dialect: 'recorded' });
    add('btcusdt_quick_depth');
    expect(heard()).toMatchObject([{ listUp: DEPTH.asks, listDown: DEPTH.bids }]);
  });

  it('is the one channel that has a length', () => {
    const { add, heard } = sessionFixture();
    add('btcusdt_depth', { length: 7 });
    expect(heard()).toMatchObject([{ dataType: 'depth' }]);
  });
});

describe('kline channel', () => {
  it('sends what there is, then each change', () => {
    const { add, feeds, heard, called } = sessionFixture();
    add('btcusdt_kline_1min');
    feeds.candles.next({ ...CANDLE, close: 29_060 });
    const row = [1_653_997_680_000, 29_000, 29_100.5, 28_999, 29_050, 12.5];
    expect(heard()).toEqual([
      { datas: { data: [row] }, channel: 'btcusdt_kline_1min', isSuc: true },
      {
        datas: { data: [row.with(4, 29_060)] },
        channel: 'btcusdt_kline_1min',
        isSuc: true,
      },
    ]);
    expect(called('candles')).toEqual([{ market: 'btc_usdt', interval: '1min', size: 100 }]);
  });
});

describe('kline channel of many', () => {
  const minute = (at: number, close: number) => ({
    ...CANDLE,
    openTime: CANDLE.openTime + at * 60_000,
    close,
  });
  const closes = (frames: { datas: { data: number[][] } }[]) =>
    frames.map(({ datas }) => datas.data.map((row) => row[4]));

  it.each(INTERVALS)('serves %s', (interval) => {
    const { add, heard, called } = sessionFixture();
    add(`btcusdt_kline_${interval}`);
    expect(heard()).toMatchObject([{ channel: `btcusdt_kline_${interval}`, isSuc: true }]);
    expect(called('candles')).toMatchObject([{ interval }]);
  });

  it('tells who joins all candles as they stand, and asks the host once', () => {
    const { open, feeds, called } = sessionFixture();
    const [early, late] = [open(), open()];
    early.add('btcusdt_kline_1min');
    feeds.candles.next(minute(0, 1));
    feeds.candles.next(minute(1, 2));
    feeds.candles.next(minute(1, 3));
    late.add('btcusdt_kline_1min');
    expect(closes(early.heard())).toEqual([[29_050], [1], [2], [3]]);
    expect(closes(late.heard())).toEqual([[1, 3]]);
    expect(called('candles')).toHaveLength(1);
  });

  it('sends a candle that was revised, and none that is as it was', () => {
    const { add, heard, feeds } = sessionFixture();
    add('btcusdt_kline_1min');
    feeds.candles.next(minute(1, 2));
    heard();
    feeds.candles.next({ ...minute(1, 2), closed: false });
    feeds.candles.next(minute(0, 7));
    feeds.candles.next(minute(-1, 7));
    expect(closes(heard())).toEqual([[7]]);
  });
});

describe('markets channel', () => {
  it('sends the rules of all markets', () => {
    const { add, heard } = sessionFixture();
    add('markets');
    expect(heard()).toMatchObject([
      { channel: 'markets', code: 1000, data: { btc_usdt: { priceScale: 2 } } },
    ]);
  });
});

describe('PublicChannels', () => {
  it('renders once and sends the very same text to all', () => {
    const { open, feeds } = sessionFixture();
    const sessions = Array.from({ length: 3 }, () => open());
    for (const session of sessions) session.add('btcusdt_ticker');
    for (const session of sessions) session.frames.length = 0;
    let read = 0;
    feeds.ticker.next({
      ...TICKER,
      get last() {
        read++;
        return 7;
      },
    });
    expect(read).toBe(1);
    expect(new Set(sessions.flatMap(({ frames }) => frames)).size).toBe(1);
    expect(sessions.map(({ frames }) => frames.length)).toEqual([1, 1, 1]);
  });

  it('listens to the host from the first session to the last', () => {
    const { open, feeds } = sessionFixture();
    const [first, second] = [open(), open()];
    first.add('btcusdt_ticker');
    second.add('btcusdt_ticker');
    expect(feeds.ticker.observers).toHaveLength(1);
    first.session.end();
    expect(feeds.ticker.observers).toHaveLength(1);
    second.session.end();
    expect(feeds.ticker.observers).toHaveLength(0);
    first.frames.length = 0;
    second.frames.length = 0;
    const third = open();
    third.add('btcusdt_ticker');
    expect([third.heard().length, feeds.ticker.observers.length]).toEqual([1, 1]);
  });

  it('waits for a host that is slow to name its markets', () => {
    const { add, frames } = sessionFixture({ market: { markets: () => NEVER } });
    add('btcusdt_ticker');
    expect(frames).toEqual([]);
  });
});
