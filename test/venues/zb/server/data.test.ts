import { throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../../src/kernel/index.ts';
import { BTC_USDT, START_MS, serverFixture } from './fixture.ts';

const documented = () => serverFixture();
const recorded = () => serverFixture({ dialect: 'recorded' });
const WIRE_TICKER = {
  high: '29249.63',
  vol: '4499.6492',
  last: '29046.17',
  low: '28527.54',
  buy: '29039.24',
  sell: '29056.69',
  open: '28598.8',
  riseRate: '1.57',
};

describe('markets', () => {
  it('is keyed by market, small numbers written out', () => {
    expect(documented().askText('/data/v1/markets')).toBe(
      '{"btc_usdt":{"amountScale":4,"priceScale":2,"minAmount":0.0005,"minSize":5},' +
        '"shib_btc":{"amountScale":0,"priceScale":10,"minAmount":1,"minSize":0.0000001}}',
    );
  });

  it('reads the host anew after a second', () => {
    const markets = [BTC_USDT];
    const { ask, clock } = serverFixture({ markets });
    const scale = () => ask('/data/v1/markets').btc_usdt.priceScale;
    expect(scale()).toBe(2);
    markets[0] = { ...BTC_USDT, priceScale: 3 };
    expect(scale()).toBe(2);
    clock.advanceBy(1_000);
    expect(scale()).toBe(3);
  });

  it('reads the host anew after a second of its callers, though its own time stands still', () => {
    const markets = [BTC_USDT];
    const wireClock = new VirtualClock(START_MS);
    const { ask } = serverFixture({ markets, wireClock });
    expect(Object.keys(ask('/data/v1/markets'))).toEqual(['btc_usdt']);
    markets.pop();
    wireClock.advanceBy(1_000);
    expect(ask('/data/v1/markets')).toEqual({});
  });
});

describe('ticker', () => {
  it('is all strings, the date too', () => {
    expect(documented().ask('/data/v1/ticker?market=btc_usdt')).toEqual({
      date: '1653781987181',
      ticker: WIRE_TICKER,
    });
  });

  it.each(['', '?market=', '?market=%20'])('wants a market: %j', (query) => {
    expect(documented().ask(`/data/v1/ticker${query}`)).toHaveProperty('code');
  });

  it('takes a market in any case', () => {
    expect(documented().ask('/data/v1/ticker?market=BTC_usdt')).toHaveProperty('ticker');
  });
});

describe('allTicker', () => {
  it('names markets by dialect', () => {
    expect(documented().ask('/data/v1/allTicker')).toEqual({ btc_usdt: WIRE_TICKER });
    expect(recorded().ask('/data/v1/allTicker')).toEqual({ btcusdt: WIRE_TICKER });
  });
});

describe('depth', () => {
  const DEPTH = '/data/v1/depth?market=btc_usdt';

  it('has asks lowest first and milliseconds in the documented dialect', () => {
    expect(documented().askText(DEPTH)).toBe(
      '{"asks":[[29056.69,0.5],[29057,1]],"bids":[[29039.24,0.0000001],[29039,2]],' +
        '"timestamp":1653997711250}',
    );
  });

  it('has asks highest first and seconds in the recorded dialect', () => {
    expect(recorded().askText(DEPTH)).toBe(
      '{"asks":[[29057,1],[29056.69,0.5]],"bids":[[29039.24,0.0000001],[29039,2]],' +
        '"timestamp":1653997711}',
    );
  });

  it('hands size and merge on', () => {
    const { ask, called } = documented();
    ask(DEPTH);
    ask(`${DEPTH}&size=5&merge=0.1`);
    ask(`${DEPTH}&merge=1e-05`);
    expect(called('depth')).toEqual([
      { market: 'btc_usdt', size: 50 },
      { market: 'btc_usdt', size: 5, merge: 0.1 },
      { market: 'btc_usdt', size: 50, merge: 0.00001 },
    ]);
  });

  it.each(['size=0', 'size=51', 'size=x', 'size=1.5', 'merge=0', 'merge=-1', 'merge=x'])(
    'refuses %s',
    (parameter) => expect(documented().ask(`${DEPTH}&${parameter}`).code).toBe(3005),
  );
});

describe('trades', () => {
  const TRADES = '/data/v1/trades?market=btc_usdt';

  it('has numbers and milliseconds in the documented dialect', () => {
    expect(documented().askText(TRADES)).toBe(
      '[{"date":1653997711250,"amount":0.038,"price":29029.5,"trade_type":"ask","type":"sell",' +
        '"tid":2796890056}]',
    );
  });

  it('has strings and seconds in the recorded dialect', () => {
    expect(recorded().ask(TRADES)).toEqual([
      {
        date: 1653997711,
        amount: '0.038',
        price: '29029.5',
        trade_type: 'ask',
        type: 'sell',
        tid: 2796890056,
      },
    ]);
  });

  it('hands an id beyond 2^53 on untouched', () => {
    const { ask, called } = documented();
    ask(`${TRADES}&since=9007199254740993`);
    expect(called('trades')).toEqual([{ market: 'btc_usdt', since: '9007199254740993' }]);
    expect(ask(`${TRADES}&since=-1`).code).toBe(3005);
  });
});

describe('kline', () => {
  const KLINE = '/data/v1/kline?market=btc_usdt';

  it('shows rows, and the currencies in upper case', () => {
    expect(documented().ask(KLINE)).toEqual({
      data: [[1_653_997_680_000, 29_000, 29_100.5, 28_999, 29_050, 12.5]],
      moneyType: 'USDT',
      symbol: 'BTC',
    });
  });

  it('hands type, since and size on', () => {
    const { ask, called, clock } = documented();
    ask(KLINE);
    clock.advanceBy(1_000);
    ask(`${KLINE}&type=1week&since=1653997680000&size=7`);
    expect(called('candles')).toEqual([
      { market: 'btc_usdt', interval: '1min', size: 1000 },
      { market: 'btc_usdt', interval: '1week', since: 1_653_997_680_000, size: 7 },
    ]);
  });

  it('asks for a thousand where more are wanted', () => {
    const { ask, called } = documented();
    ask(`${KLINE}&size=5000`);
    expect(called('candles')).toMatchObject([{ size: 1_000 }]);
  });

  it.each(['btc-usdt', 'BTC-USDT', 'btcusdt'])('knows the market by %s', (market) => {
    expect(documented().ask(`/data/v1/kline?market=${market}`)).toMatchObject({ symbol: 'BTC' });
  });

  it.each(['type=2min', 'size=1e3', 'size=0', 'since=x'])('refuses %s', (parameter) => {
    expect(documented().ask(`${KLINE}&${parameter}`).code).toBe(3005);
  });
});

describe('market data of a failing host', () => {
  it('is an answer all the same', () => {
    const market = { ticker: () => throwError(() => new Error('boom')) };
    expect(serverFixture({ market }).ask('/data/v1/ticker?market=btc_usdt').code).toBe(1002);
  });
});
