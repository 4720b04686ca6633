import type { AmountUnit } from '../amount-unit.ts';
import { contractSource } from '../contract-name.ts';

/** A contract as ccxt names it, by what it is settled in: `BTC/USDT:USDT`, `BTC/USD:BTC-240329`. */
const CONTRACT = /^([A-Z0-9]+)\/[A-Z0-9]+:([A-Z0-9]+)(-.*)?$/i;

/**
 * Source and unit of a contract as ccxt names it; undefined for other symbols. Its amounts are in
 * contracts, of whatever size. Source: github.com/ccxt/ccxt (`safeTrade`).
 */
export function ccxtContract(
  symbol: string,
): { readonly source: string; readonly amountUnit: AmountUnit } | undefined {
  const [, base, settle] = CONTRACT.exec(symbol) ?? [];
  if (base === undefined) return undefined;
  const amountUnit = base === settle ? 'inverse contracts' : 'contracts';
  return { source: contractSource('futures', symbol), amountUnit };
}
