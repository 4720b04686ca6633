/** Endings of freqtrade's names for files whose prices are not those of a spot market. */
const FREQTRADE = /-\d+[smhdwMy]-(futures|mark|index|premiumIndex|funding_rate)\.[\w.]+$/;
/** The same anywhere in a name, such as `BTCUSD2024-01-31_index_price.csv` of Bybit's archive. */
const OTHERS = /(?<![A-Za-z])(mark|index|premium)[-_ ]?(price|index)(?![A-Za-z])/i;

/**
 * The source that a file's name tells if its prices are not those of spot, though the market's name
 * is the same: `BTC_USDT_USDT-1h-mark.feather` of freqtrade has the source `mark`. Undefined for
 * other files.
 *
 * @throws {TypeError} when it holds funding rates, which are no prices.
 */
export function pricesSource(name: string): string | undefined {
  const [, kind = OTHERS.exec(name)?.[1]?.toLowerCase()] = FREQTRADE.exec(name) ?? [];
  if (kind === 'funding_rate') {
    throw new TypeError('it holds rates of funding, candles or trades are wanted');
  }
  return kind === 'premium' || kind === 'premiumIndex' ? 'premium-index' : kind;
}
