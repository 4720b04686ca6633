import { contractSource } from '../contract-name.ts';

export const BINANCE_FUTURES = 'binance-futures';

/** Files of futures that expire, USD-M or COIN-M: the symbol, and what the file holds. */
const DELIVERED = /^([A-Z0-9]+_\d{6})-/;

/** The source of a future that expires, by the name of its file; undefined for others. */
export function deliveredSource(name: string): string | undefined {
  const [, symbol = ''] = DELIVERED.exec(name) ?? [];
  const source = contractSource(BINANCE_FUTURES, symbol);
  return source === BINANCE_FUTURES ? undefined : source;
}

/** Symbols of contracts settled in coins: a pair on USD, and `PERP` or the expiry. */
const COIN_MARGINED = /(?<![A-Za-z0-9])[A-Z0-9]+USD_(PERP|\d{6})(?![A-Za-z0-9])/g;

/**
 * Whether a file of data.binance.vision is of COIN-M futures, by its name, such as
 * `BTCUSD_PERP-1m-2024-01.csv`: their amounts count contracts of 100 or 10 US dollars. Source:
 * github.com/binance/binance-public-data.
 */
export function isCoinMargined(name: string): boolean {
  // Six digits that are no day are a month: `BTCUSD_202401` is of spot.
  return [...name.matchAll(COIN_MARGINED)].some(
    ([symbol, end]) => end === 'PERP' || contractSource('', symbol) !== '',
  );
}
