/**
 * An expiry: all digits, with a year of two or four, or a named month behind the quote currency.
 */
const DIGITS = '\\d\\d(?:\\d\\d)?(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const NAMED = '(?<=USD[TC]?[-_])\\d{1,2}[A-Z]{3}\\d\\d';
/** The end of a dated contract's symbol: the expiry, for options also strike and kind. */
const DATED = new RegExp(`[-_](${DIGITS}|${NAMED})(-\\d+(?:\\.\\d+)?-[CP])?$`, 'i');

/** Endings of contracts' symbols at exchanges and Coin Metrics; TradingView's is `.P`. */
const CONTRACT = /([-_](PERP|PERPETUAL|SWAP|FUTURES?)|USD[TC]?\.P)$/i;

/** The source of a contract whose exchange is not told; undefined for a symbol of spot. */
export function unknownContractSource(symbol: string): string | undefined {
  const source = contractSource('futures', symbol);
  return source !== 'futures' || CONTRACT.test(symbol) ? source : undefined;
}

/**
 * The source of the rows of a symbol. Futures and options that expire share the market's name with
 * the perpetual and with each other, but not the prices. Each gets a source of its own:
 * `BTC-USDT-240329` gets `okx-futures-240329`.
 */
export function contractSource(source: string, symbol: string): string {
  const [, day, option = ''] = DATED.exec(symbol) ?? [];
  return day === undefined ? source : `${source}-${day.toLowerCase()}${option.toLowerCase()}`;
}
