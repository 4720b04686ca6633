/** How freqtrade ends the names of files that hold other prices than those of a spot market. */
const OTHERS = /-\d+[smhdwMy]-(futures|mark|index|premiumIndex|funding_rate)\.[\w.]+$/;

/**
 * Whose prices a file of freqtrade holds, by its name: `BTC_USDT_USDT-1h-mark.feather` has those of
 * `mark`. They have the market of spot at other prices. Undefined of all other files.
 *
 * @throws {TypeError} when it holds rates of funding, which are no prices.
 */
export function freqtradeSource(name: string): string | undefined {
  const [, kind] = OTHERS.exec(name) ?? [];
  if (kind === 'funding_rate') {
    throw new TypeError('it holds rates of funding, candles or trades are wanted');
  }
  return kind === 'premiumIndex' ? 'premium-index' : kind;
}
