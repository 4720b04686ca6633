/** Symbols of contracts that are settled in coins: a pair on USD, and when it ends. */
const COIN_MARGINED = /(^|[^A-Za-z0-9])[A-Z0-9]+USD_(PERP|\d{6})(?![A-Za-z0-9])/;

/**
 * Whether a file of data.binance.vision is of COIN-M futures, by its name, such as
 * `BTCUSD_PERP-1m-2024-01.csv`: their amounts count contracts of 100 or 10 US dollars. Source:
 * github.com/binance/binance-public-data.
 */
export function isCoinMargined(name: string): boolean {
  return COIN_MARGINED.test(name);
}
