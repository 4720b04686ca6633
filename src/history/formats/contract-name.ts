/** What symbols of futures and options end with: the day, and of options strike and kind. */
const DATED = /[-_](\d{6}|\d{8})(-\d+(?:\.\d+)?-[CP])?$/i;

/**
 * The source of the rows of a symbol. Futures and options that end have the market of the perpetual
 * and of each other, at other prices: each gets a source of its own, as `BTC-USDT-240329` gets
 * `okx-futures-240329`.
 */
export function contractSource(source: string, symbol: string): string {
  const [, day, option = ''] = DATED.exec(symbol) ?? [];
  return day === undefined ? source : `${source}-${day}${option.toLowerCase()}`;
}
