/** Quote currencies that a joined symbol may end with; a longer one goes before its own ending. */
const QUOTES = [
  ...[
    'fdusd',
    'usdt',
    'usdc',
    'busd',
    'tusd',
    'usdp',
    'dai',
    'usd',
    'eur',
    'gbp',
    'jpy',
    'chf',
    'cad',
    'nzd',
    'try',
  ],
  ...['brl', 'aud', 'krw', 'cny', 'btc', 'eth', 'bnb', 'qc'],
] as const;

/**
 * The market identifier in an exchange's symbol or in a file's name: `BTCUSDT` and `BTC-USDT` are
 * `btc_usdt`, `XRP_ETH-trades.json.gz` is `xrp_eth`. Undefined when none is found.
 */
export function inferMarketId(name: string): string | undefined {
  const words = name
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

/** How MetaTrader ends a file's name: the minutes of its candles, such as `EURUSD60`. */
const MINUTES = /(1|5|15|30|60|240|1440|10080|43200)$/;

/** A base and a quote side by side, or joined in one word. */
function partOf(word: string, next: string | undefined): string | undefined {
  if (isQuote(next) && /^[a-z0-9]{2,10}$/.test(word)) {
    return `${word}_${next}`;
  }
  const symbol = word.replace(MINUTES, '');
  return splitAt(symbol, 3) ?? splitAt(symbol, 2);
}

function isQuote(word: string | undefined): boolean {
  return QUOTES.some((quote) => quote === word);
}

/** A joined symbol whose base has at least `baseLength` letters: XBTUSD is no tusd of an xb. */
function splitAt(symbol: string, baseLength: number): string | undefined {
  const quote = QUOTES.find(
    (known) => symbol.endsWith(known) && symbol.length >= known.length + baseLength,
  );
  return quote === undefined ? undefined : `${symbol.slice(0, -quote.length)}_${quote}`;
}
