/** How freqtrade ends the names of files that hold other prices than those of a spot market. */
const FREQTRADE = /-\d+[smhdwMy]-(futures|mark|index|premiumIndex|funding_rate)\.[\w.]+$/;
/** The same in any name, such as `BTCUSD2024-01-31_index_price.csv` of Bybit's archive. */
const OTHERS = /(?<![A-Za-z])(mark|index|premium)[-_ ]?(price|index)(?![A-Za-z])/i;

/**
 * Whose prices a file holds, by its name: `BTC_USDT_USDT-1h-mark.feather` of freqtrade has those of
 * `mark`. They have the market of spot at other prices. Undefined of all other files.
 *
 * @throws {TypeError} when it holds rates of funding, which are no prices.
 */
export function pricesSource(name: string): string | undefined {
  const [, kind = OTHERS.exec(name)?.[1]?.toLowerCase()] = FREQTRADE.exec(name) ?? [];
  if (kind === 'funding_rate') {
    throw new TypeError('it holds rates of funding, candles or trades are wanted');
  }
  return kind === 'premium' || kind === 'premiumIndex' ? 'premium-index' : kind;
}
