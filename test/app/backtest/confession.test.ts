import { describe, expect, it } from 'vitest';
import { confessionOf } from '../../../src/app/backtest/confession.ts';
import type { Span } from '../../../src/app/backtest/data/findings/span.ts';
import { checkedDeployment } from './checks-fixture.ts';

type Outages = readonly Span[];

const confessed = (backtest: object, data = {}, outages: Outages = []): string[] =>
  confessionOf(checkedDeployment({ backtest, data }), outages);

describe('confessionOf', () => {
  it.each([
    ['heartbeats', 'Timed cancels are armed', 'The timed cancels that guard'],
    ['rateLimits', 'Requests keep to the limits', 'Requests have no limits'],
    ['reconciliation', 'read again every 60 s', 'are not read again'],
  ])('has one sentence whether %s run along', (key, along, leftOut) => {
    const [on, off] = [true, false].map((runs) => confessed({ simulate: { [key]: runs } }));
    const withText = (text: string, lines: string[]) => lines.filter((one) => one.includes(text));
    expect([withText(along, on!).length, withText(leftOut, on!).length]).toEqual([1, 0]);
    expect([withText(along, off!).length, withText(leftOut, off!).length]).toEqual([0, 1]);
    expect(on!.filter((sentence) => !off!.includes(sentence))).toHaveLength(1);
  });

  it('says whether market data are asked for, and how often', () => {
    const said = (polls: boolean, data: object) =>
      confessed({ simulate: { polls } }, data).join(' ');
    expect(said(false, {})).toContain('Market data are pushed, as live: every row is heard.');
    expect(said(false, { feeds: false })).toContain(
      'The pauses between polls of market data, as live, are not modelled',
    );
    expect(said(true, { feeds: false })).toContain(
      'of a live run, depth every 0.5 s, trades every 0.5 s, fi',
    );
    const candles = { feeds: { candles: false }, candles: 'venue', candlesPollMs: 7_000 };
    expect(said(true, candles)).toContain(
      'at the pace of a live run, candles every 7 s, first at a',
    );
  });

  it('says whether the line is cut, how often and for how long', () => {
    expect(confessed({}).join(' ')).toContain(
      'Outages of the exchange or of the connection are left out',
    );
    const simulate = { outages: { drawn: { everyHours: 1, lengthMs: 1 }, arriving: 0.25 } };
    const outages = [
      { fromMs: 5, toMs: 1_005 },
      { fromMs: 2_000, toMs: 2_500 },
    ];
    expect(confessed({ simulate }, {}, outages).join(' ')).toContain(
      'is cut 2 times, for 1.5 s in all. During an outage nothing is heard and no request is answered, but 25 % of',
    );
    expect(confessed({ simulate }, {}, outages.slice(1)).join(' ')).toContain(
      'is cut once, for 0.5 s',
    );
    const odd = { outages: { ...simulate.outages, arriving: 0.29 } };
    expect(confessed({ simulate: odd }, {}, outages).join(' ')).toContain(
      ' 29 % of the requests arrive',
    );
  });

  it.each([
    [{ closeAtEnd: 'none' }, 'stay open'],
    [{ closeAtEnd: 'close' }, 'at the close of the last candle, whatever its volume.'],
    [{ closeAtEnd: 'open' }, 'at the open of the last candle'],
    [
      { closeAtEnd: 'close', fill: { model: 'trades' } },
      'by orders that take the liquidity there is.',
    ],
    [{ fees: { in: 'received' } }, 'of a buy in the base currency'],
    [{ fees: { in: 'quote' } }, 'All fees are taken in the quote currency'],
    [{ fees: { in: 'base' } }, 'All fees are taken in the base currency'],
  ])('says of %j: %s', (settings, text) => {
    expect(confessed(settings).join(' ')).toContain(text);
  });

  it('is made of whole sentences', () => {
    const simulate = { polls: true, outages: { drawn: { everyHours: 1, lengthMs: 1 } } };
    for (const settings of [{}, { simulate }]) {
      for (const sentence of confessed({ lent: { btc: '1' }, ...settings }, { feeds: false })) {
        expect(sentence).toMatch(/^[A-Z].*\.$/);
      }
    }
  });
});

describe('confessionOf markets without rules', () => {
  it('names the markets of which no least order is set', () => {
    const said = (markets: object) => confessed({ markets }).filter((one) => one.includes('small'));
    expect(said({ btc_usdt: { priceScale: 2 } })).toEqual([
      'Orders in btc_usdt may be as small as one step of the amount: the least amount and value ' +
        'that the exchange takes are not set (backtest.markets).',
    ]);
    const told = [{ minAmount: 0.001 }, { minSize: 5 }].map((rules) => said({ btc_usdt: rules }));
    expect(told).toEqual([[], []]);
  });
});

describe('confessionOf several quote currencies', () => {
  const CANDLES = { startPrice: 100 };
  const confessedOf = (markets: readonly string[], backtest: object = {}): string => {
    const generate = Object.fromEntries(markets.map((id) => [id, CANDLES]));
    const deployment = { markets, backtest: { generate, ...backtest } };
    return confessionOf(checkedDeployment(deployment), []).join(' ');
  };

  it('says by which markets each currency is valued, and what is converted when', () => {
    const text = confessedOf(['eth_btc', 'btc_usdt', 'ltc_usdt']);
    expect(text).toContain(
      'The account is valued in usdt, at market prices: eth by eth_btc and btc_usdt, btc ' +
        'by btc_usdt, ltc by ltc_usdt.',
    );
    expect(text).toContain('Profits and fees in eth_btc are in another currency');
    const report = { currency: 'btc' };
    expect(confessedOf(['btc_usdt'], { report })).toContain(
      'in btc, at market prices: usdt by btc',
    );
  });

  it('says that made-up prices do not fit together, where several tell of one currency', () => {
    const text = 'The prices of btc_usdt, eth_usdt, eth_btc are made up, each without';
    expect(confessedOf(['btc_usdt', 'eth_usdt', 'eth_btc'])).toContain(text);
    expect(confessedOf(['eth_btc', 'btc_usdt'])).not.toContain('made up, and');
    expect(confessedOf(['btc_usdt', 'eth_usdt'])).not.toContain('made up, and');
  });

  it('has none of that where all are quoted in the currency of the account', () => {
    expect(confessedOf(['btc_usdt', 'eth_usdt'])).not.toContain('The account is valued');
  });

  it('says of charges in which currencies they are', () => {
    const fees = { in: 'quote', perOrder: 1 };
    expect(confessedOf(['eth_btc', 'btc_usdt'], { fees })).toContain('charged 1 btc or usdt once');
  });
});
