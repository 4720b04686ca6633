/** The message when nothing tells the market of a file. */
export const MARKET_WANTED =
  'neither its rows nor its name tell the market, which is wanted: `--market btc_usdt`, or ' +
  '`market: btc_usdt` in a mapping, or beside the file in a configuration';

/** Quote currencies that are money or stand for it; each comes before those that it ends with. */
const MONEY = [
  ...['fdusd', 'usdt', 'usdc', 'busd', 'tusd', 'usdp', 'usd', 'eur', 'gbp', 'jpy', 'chf'],
  ...['cad', 'nzd', 'try', 'brl', 'aud', 'krw', 'idr', 'cny', 'dai', 'qc'],
] as const;

/** Money that is always the quote currency. */
const LAST: readonly string[] = ['krw', 'idr'];

/** Other quote currencies. */
const COINS = ['btc', 'eth', 'bnb'] as const;

/** Quote currencies that a joined symbol may end with. */
const QUOTES = [...MONEY, ...COINS] as const;

/** Money that Upbit, Bittrex and Poloniex put ahead of the coin that it prices. */
const PUT_FIRST: ReadonlySet<string> = new Set([
  ...LAST,
  ...['usd', 'eur', 'usdt', 'usdc', 'busd'],
]);

/** Words behind money that are not coins: other money, and words for contracts. */
const NO_COINS: ReadonlySet<string> = new Set([
  ...MONEY,
  ...['aed', 'ars', 'bgn', 'bidr', 'brz', 'clp', 'cnh', 'cop', 'czk', 'dkk', 'ghs', 'hkd', 'huf'],
  ...['idrt', 'ils', 'inr', 'kes', 'kzt', 'mxn', 'myr', 'ngn', 'nok', 'pen', 'php', 'pln'],
  ...['ron', 'rub', 'sar', 'sek', 'sgd', 'thb', 'twd', 'uah', 'vnd', 'zar', 'perp', 'swap'],
]);

/** Exchanges. They are no base beside a quote currency, even if joined to it: `bitstampUSD`. */
const EXCHANGES: ReadonlySet<string> = new Set([
  ...['binance', 'bitfinex', 'bitget', 'bitmex', 'bitstamp', 'bybit', 'coinbase', 'deribit', 'ftx'],
  ...['gateio', 'gemini', 'hitbtc', 'huobi', 'kraken', 'kucoin', 'mexc', 'okex', 'okx', 'poloniex'],
  'upbit',
]);

/** Words for what a file holds, and Hyperliquid's short name: none is a base. */
const NO_BASES: ReadonlySet<string> = new Set([
  ...['trades', 'candles', 'klines', 'kline', 'ohlcv', 'ohlc', 'bars', 'quotes', 'ticks', 'tick'],
  ...['depth', 'book', 'history', 'prices', 'price', 'spot', 'futures', 'daily', 'hourly', 'hl'],
]);

/** Such words that are coins as well: beside another coin they are not meant as a base. */
const NO_BASES_OF_COINS: ReadonlySet<string> = new Set(['data', 'dydx', 'htx']);

/**
 * The market identifier in an exchange's symbol or in a file's name: `BTCUSDT` and `BTC-USDT` are
 * `btc_usdt`, `XRP_ETH-trades.json.gz` is `xrp_eth`. Upbit's `KRW-BTC` is `btc_krw`: money has no
 * price in coins. Undefined when none is found.
 */
export function inferMarketId(named: string): string | undefined {
  const name = named.replace(SETTLED, '$1-$2');
  const [symbol = ''] = SYMBOL.exec(name.replace(/^.*[\\/]/, '')) ?? [];
  if (isMoney(symbol.split(/[-_]/)[0]!.toLowerCase())) return pairOf(symbol);
  const words = name
    .replaceAll(BITFINEX, '')
    .toLowerCase()
    .replace(/^.*[\\/]/, '')
    .split(/[^a-z0-9]+/);
  for (const [at, word] of words.entries()) {
    // `Coinbase-BTC-USD`: what may be a quote currency is a base where another quote follows it.
    if (isQuote(words[at + 1]) && isQuote(words[at + 2]) && words[at + 1] !== words[at + 2])
      continue;
    const parted = partOf(word, words[at + 1]);
    if (parted !== undefined) return parted;
  }
  return undefined;
}

/** A contract as ccxt names it, by what it is settled in: `BTC/USDT:USDT`. */
const SETTLED = /^([A-Z0-9]+)\/([A-Z0-9]+):[A-Z0-9]+(-.*)?$/i;

/** Bitfinex' prefix of traded symbols, such as `tBTCUSD`. */
const BITFINEX = /(?<![A-Za-z0-9])t(?=[A-Z]{6,10}(?![a-z0-9]))/g;

/** A file that is named by a symbol of two words alone, such as `KRW-XRP.csv`. */
const SYMBOL = /^[A-Z]{3,5}[-_][A-Z]{2,6}(?=\.|$)/;

/** How MetaTrader ends a file's name: the minutes of its candles, such as `EURUSD60`. */
const MINUTES = /(1|5|15|30|60|240|1440|10080|43200)$/;

/** Kraken's names of old currencies begin with X where they are coins and with Z where money. */
const KRAKEN = /^x([a-z]{3})(?:z(usd|eur|gbp|cad|jpy|aud)|x(xbt|eth))$/;

/** A word that may name what is traded: digits alone are a date, `1m` is the length of candles. */
const BASE = /^(?!\d+[smhdw]?$)[a-z0-9]{2,10}$/;

/** A base and a quote side by side, or joined in one word. */
function partOf(word: string, next: string | undefined): string | undefined {
  if (EXCHANGES.has(word) || NO_BASES.has(word)) return undefined;
  if (NO_BASES_OF_COINS.has(word) && !isMoney(next)) return undefined;
  const [, base, money, coin] = KRAKEN.exec(word) ?? [];
  if (base !== undefined) return `${base}_${money ?? coin}`;
  if (isQuote(next) && BASE.test(word)) return ordered(word, next!);
  const symbol = word.replace(MINUTES, '');
  return splitAt(symbol, 3) ?? splitAt(symbol, 2);
}

/**
 * A symbol of two words, such as `PUNDIX/KRW`; undefined without a symbol. `BTC-PERPETUAL` of
 * Deribit is `btc_usd`: the price of a perpetual that names no currency is in US dollars.
 */
export function pairOf(symbol: string | undefined): string | undefined {
  const [base, quote, ...others] = symbol?.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  if (quote === undefined || others.length > 0) return undefined;
  return ordered(base!, quote === 'perpetual' ? 'usd' : quote);
}

/** A word that may name a coin: not if it contains a dollar or a euro. */
const COIN = /^(?!.*(usd|eur))[a-z]{2,8}$/;

function ordered(base: string, quote: string): string {
  const isCoin = COIN.test(quote) && !NO_COINS.has(quote);
  const isTurned = PUT_FIRST.has(base) && (isCoin || (LAST.includes(base) && isMoney(quote)));
  return isTurned ? `${quote}_${base}` : `${base}_${quote}`;
}

function isMoney(word: string | undefined): boolean {
  return MONEY.some((money) => money === word);
}

function isQuote(word: string | undefined): boolean {
  return QUOTES.some((quote) => quote === word);
}

/**
 * A joined symbol whose base has at least `baseLength` letters: XBTUSD is not XB priced in TUSD.
 */
function splitAt(symbol: string, baseLength: number): string | undefined {
  const quote = QUOTES.find(
    (known) => symbol.endsWith(known) && symbol.length >= known.length + baseLength,
  );
  const base = symbol.slice(0, -(quote?.length ?? 0));
  return quote === undefined || EXCHANGES.has(base) ? undefined : ordered(base, quote);
}
