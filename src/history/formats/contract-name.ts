/** A day: of a year of two or four digits, or with its month by name behind the quote currency. */
const DIGITS = '\\d\\d(?:\\d\\d)?(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])';
const NAMED = '(?<=USD[TC]?[-_])\\d{1,2}[A-Z]{3}\\d\\d';
/** What symbols of futures and options end with: the day, and of options strike and kind. */
const DATED = new RegExp(`[-_](${DIGITS}|${NAMED})(-\\d+(?:\\.\\d+)?-[CP])?$`, 'i');

/** What symbols of contracts end with, as exchanges and Coin Metrics name them; TradingView: `.P`. */
const CONTRACT = /([-_](PERP|PERPETUAL|SWAP|FUTURES?)|USD[TC]?\.P)$/i;

/** The source of a contract of an exchange that is not told; undefined of a symbol of spot. */
export function unknownContractSource(symbol: string): string | undefined {
  const source = contractSource('futures', symbol);
  return source !== 'futures' || CONTRACT.test(symbol) ? source : undefined;
}

/**
 * The source of the rows of a symbol. Futures and options that end have the market of the perpetual
 * and of each other, at other prices: each gets a source of its own, as `BTC-USDT-240329` gets
 * `okx-futures-240329`.
 */
export function contractSource(source: string, symbol: string): string {
  const [, day, option = ''] = DATED.exec(symbol) ?? [];
  return day === undefined ? source : `${source}-${day.toLowerCase()}${option.toLowerCase()}`;
}
