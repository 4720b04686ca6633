import { defer, NEVER } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { fakeVenue } from '../../app/terminal/fixture.ts';
import { line } from './fixture.ts';

describe('tradewind market', () => {
  it('lists the rules of the markets', async () => {
    const { stdout } = await line('market list');
    expect(stdout).toBe(
      [
        'market    price places  amount places  least amount  least value',
        'btc_usdt             2              5        0.0001            1',
        '',
      ].join('\n'),
    );
  });

  it('shows tickers, numbers to the right, and to programs as strings', async () => {
    const { stdout } = await line('market tickers');
    expect(stdout).toMatch(/^market +last +bid +ask +open +high +low +volume +change\n/);
    expect(stdout).toMatch(/btc_usdt +60,000.5 +60,000 .* 1,234.5 +\+1.69 %\n$/);
    expect((await line('market tickers BTC_USDT --json')).json()).toEqual({
      tickers: [
        {
          ...{ market: 'btc_usdt', last: '60000.5', bid: '60000', ask: '60001', open: '59000' },
          ...{ high: '61000.5', low: '58000', volume: '1234.5', change: '0.0169' },
          time: '2024-01-31T10:00:00.000Z',
        },
      ],
    });
  });

  it('shows both sides of the book, best first', async () => {
    const { stdout } = await line('market depth btc_usdt --size 2');
    expect(stdout).toBe(
      [
        'btc_usdt  2024-01-31T10:00:00.000Z',
        ' amount btc   bid usdt   ask usdt  amount btc',
        '    0.50000  60,000.00  60,001.00     0.25000',
        '1,200.00000  59,999.99',
        '',
      ].join('\n'),
    );
    const { json } = await line('market depth btc_usdt --json');
    expect(json()).toMatchObject({
      market: 'btc_usdt',
      bids: [
        { price: '60000', amount: '0.5' },
        { price: '59999.99', amount: '1200' },
      ],
      asks: [{ price: '60001', amount: '0.25' }],
    });
  });

  it.each([
    ['market depth btc_usdt --size 7', 'depth', { market: 'btc_usdt', size: 7 }],
    ['market depth btc_usdt --merge 0.5', 'depth', { market: 'btc_usdt', merge: 0.5 }],
    ['market trades btc_usdt --since 12', 'trades', { market: 'btc_usdt', since: '12' }],
    [
      'market candles btc_usdt --interval 4hour --size 3 --since 2024-01-31T10:00Z',
      'candles',
      { market: 'btc_usdt', interval: '4hour', size: 3, since: Date.UTC(2024, 0, 31, 10) },
    ],
  ])('asks for what it was told: %s', async (text, call, argument) => {
    const venue = fakeVenue();
    expect(await line(text, { venue })).toMatchObject({ code: 0 });
    expect(venue.sent).toContainEqual({ call, argument });
    expect(venue.closed).toBe(true);
  });
});

describe('tradewind market: what happened', () => {
  it('shows trades exactly, small amounts without exponent', async () => {
    const { stdout } = await line('market trades btc_usdt');
    expect(stdout).toMatch(
      /2024-01-31T10:00:00\.000Z {2}sell {2} 60,000\.10 {2} +0\.00001 {2}7\n$/,
    );
  });

  it('follows trades, for programs one document a line', async () => {
    const { stdout } = await line('market trades btc_usdt --follow --json');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text).id),
    ).toEqual(['7', '8']);
    expect((await line('market trades btc_usdt --follow')).stdout).toContain(
      'sell  60,000.10  0.00001  7\n',
    );
  });

  it('follows where it is told for how long', async () => {
    const followed = await line('market trades btc_usdt --follow');
    expect((await line('market trades btc_usdt --for 30s')).stdout).toBe(followed.stdout);
  });

  it('follows no longer than somebody reads it', async () => {
    const { exchange, ...venue } = fakeVenue();
    const { promise: subscribed, resolve } = Promise.withResolvers<void>();
    const trades = () =>
      defer(() => {
        resolve();
        return NEVER;
      });
    const marketFeed = { ...exchange.marketFeed, trades };
    const followed = line('market trades btc_usdt --follow', {
      venue: { ...venue, exchange: { ...exchange, marketFeed } },
    });
    await subscribed;
    process.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect((await followed).code).toBe(0);
  });

  it('tells of what the candles are', async () => {
    const { stdout } = await line('market candles btc_usdt --interval 4h');
    expect(stdout).toMatch(/^btc_usdt 4hour, prices in usdt, volume in btc\nopens +open +high/);
  });

  it('tells which candle still runs', async () => {
    expect((await line('market candles btc_usdt')).stdout).toMatch(/1,234\.5 {2}running\n$/);
    const { json } = await line('market candles btc_usdt --json');
    expect(json()).toMatchObject({ interval: '1min', candles: [{ closed: false, open: '59000' }] });
  });
});

describe('tradewind market, called wrongly', () => {
  it.each([
    ['market depth btcusdt', 2, 'a market such as btc_usdt is wanted'],
    ['market depth btc_usdt --size 51', 2, 'a whole number from 1 to 50 is wanted'],
    ['market depth btc_usdt --merge 0', 2, 'a price step above 0 is wanted'],
    [
      'market depth btc_usdt --size 10 --merge 5',
      2,
      "'--merge <step>' cannot be used with option '--size <levels>'",
    ],
    ['market candles btc_usdt --interval 2min', 2, 'Allowed choices are 1min, 3min'],
    ['market candles btc_usdt --since yesterday', 2, 'a moment in UTC such as'],
    ['market trades btc_usdt --follow --since 3', 2, 'cannot be used with'],
    ['market trades btc_usdt --for 1m --since 3', 2, 'cannot be used with'],
    ['market depth', 2, "missing required argument 'market'"],
    ['market ticker', 2, "unknown command 'ticker'"],
    ['market tickers eth_btc', 10, 'Cannot use market "eth_btc": it is unknown'],
  ])('says what is wanted: %s', async (text, code, message) => {
    const outcome = await line(text);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stdout).toBe('');
  });

  it('says with code 4 that the venue does not answer', async () => {
    const venue = fakeVenue();
    venue.fail('markets', 'unsent', { message: 'Cannot send GET /x: connect ECONNREFUSED' });
    const { code, stderr } = await line('market list', { venue });
    expect(code).toBe(4);
    expect(stderr).toMatch(/^venue\.test: Cannot send .*ECONNREFUSED\nnothing listens there/);
    expect(venue.closed).toBe(true);
  });
});
