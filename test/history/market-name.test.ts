import { describe, expect, it } from 'vitest';
import { inferMarketId, pairOf } from '../../src/history/market-name.ts';

describe('inferMarketId', () => {
  it.each([
    ['BTCUSDT', 'btc_usdt'],
    ['BTC-USD', 'btc_usd'],
    ['XRP_ETH-trades.json.gz', 'xrp_eth'],
    ['/data/btcusdt_20240808.gz', 'btc_usdt'],
    ['kraken-trades-BCHEUR.csv', 'bch_eur'],
    ['XBTUSD', 'xbt_usd'],
    ['OPUSDT', 'op_usdt'],
    ['BTC_USDT_USDT-1h-futures.json', 'btc_usdt'],
    ['Coinbase-BTC-USD', 'btc_usd'],
    ['trades.csv', undefined],
    ['', undefined],
  ])('finds in %j the market %j', (name, market) => {
    expect(inferMarketId(name)).toBe(market);
  });
});

describe('inferMarketId, of how exchanges write a pair,', () => {
  it.each([
    ['KRW-BTC', 'btc_krw'],
    ['USDT_BTC.csv', 'btc_usdt'],
    ['USD-ETH', 'eth_usd'],
    ['EURUSDT', 'eur_usdt'],
    ['USD_JPY', 'usd_jpy'],
    ['TUSD-BTC', 'tusd_btc'],
    ['TUSDBTC', 'tusd_btc'],
    ['dai_eth.csv', 'dai_eth'],
    ['BTC_ETH', 'btc_eth'],
    ['KRW-XRP.csv', 'xrp_krw'],
    ['/data/KRW-DOGE.csv.gz', 'doge_krw'],
    ['USDT_XRP.csv', 'xrp_usdt'],
    ['KRW-USDT', 'usdt_krw'],
    ['KRWBTC.csv', 'btc_krw'],
    ['IDR-BTC', 'btc_idr'],
    ['EUR-USDT.csv', 'eur_usdt'],
  ])('puts money last where it is quoted in coins: %s', (name, market) => {
    expect(inferMarketId(name)).toBe(market);
  });

  it.each([
    ['XXBTZUSD', 'xbt_usd'],
    ['XETHXXBT', 'eth_xbt'],
    ['XRPUSD', 'xrp_usd'],
    ['XAUTUSDT', 'xaut_usdt'],
  ])("leaves the letters out that Kraken's old names begin with: %s", (name, market) => {
    expect(inferMarketId(name)).toBe(market);
  });

  it('takes no word of a name for a coin where the name is more than a symbol', () => {
    expect(inferMarketId('usd-daily.csv')).toBeUndefined();
    expect(inferMarketId('EUR-BTC-2024.csv')).toBe('btc_eur');
  });

  it.each(['ftx-btc-perp-20211231.csv', 'binance_btc.csv', 'bitstampUSD.csv', 'Kraken-ETH.csv'])(
    'takes no exchange for a base: %s',
    (name) => {
      expect(inferMarketId(name)).toBeUndefined();
    },
  );

  it.each([
    'trades-btc.csv',
    'candles_eth_1h.csv',
    '1m-btc.csv',
    'hl-BTC.json',
    'dydx-eth.csv',
    'prices-usd.csv',
  ])('takes what a file holds for no base: %s', (name) => {
    expect(inferMarketId(name)).toBeUndefined();
  });

  it.each(['trades_from_20131125_usd.csv', 'bars-2024-usd.csv', '1706745000_eur.csv'])(
    'takes no date for a base: %s',
    (name) => {
      expect(inferMarketId(name)).toBeUndefined();
    },
  );

  it.each([
    ['binance-BTC-USDT.csv', 'btc_usdt'],
    ['1000SHIBUSDT.csv', '1000shib_usdt'],
    ['candles_tBTCUSD_1h.csv', 'btc_usd'],
    ['TBTCUSD.csv', 'tbtc_usd'],
    ['ftx_sol_usd.csv', 'sol_usd'],
    ['trades-BTC-USDT.csv', 'btc_usdt'],
    ['data_sol_usd_1m.csv', 'sol_usd'],
  ])('finds the pair behind an exchange: %s', (name, market) => {
    expect(inferMarketId(name)).toBe(market);
  });
});

describe('inferMarketId of coins that exchanges, or what files hold, are called after', () => {
  it.each([
    ['DYDXUSDT-1m-2024-01.csv', 'dydx_usdt'],
    ['DYDX_USDT-1h.feather', 'dydx_usdt'],
    ['htx-usdt.csv', 'htx_usdt'],
    ['DATABTC.csv', 'data_btc'],
    ['dydx-BTC-USD.json', 'btc_usd'],
  ])('finds the pair: %s', (name, id) => {
    expect(inferMarketId(name)).toBe(id);
  });

  it('takes them for no base beside a coin', () => {
    expect(inferMarketId('dydx-eth.csv')).toBeUndefined();
  });
});

describe('pairOf', () => {
  it.each([
    ['KRW-XRP', 'xrp_krw'],
    ['KRW-PUNDIX', 'pundix_krw'],
    ['USDT_QC', 'usdt_qc'],
    ['USDT-DAI', 'usdt_dai'],
    ['USDT/RUB', 'usdt_rub'],
    ['usd_mxn', 'usd_mxn'],
    ['EUR/SEK', 'eur_sek'],
    ['USDC-PYUSD', 'usdc_pyusd'],
    ['USDT-EURI', 'usdt_euri'],
    ['BTC-PERPETUAL', 'btc_usd'],
    ['EUR-PERP', 'eur_perp'],
    ['EUR-29MAR24', 'eur_29mar24'],
    ['XRP/KRW', 'xrp_krw'],
    ['BTC', undefined],
    [undefined, undefined],
  ])('reads a symbol of two words: %s', (symbol, market) => {
    expect(pairOf(symbol)).toBe(market);
  });
});
