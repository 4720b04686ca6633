import type { NaiveFill } from './naive-candles.ts';
import { AMOUNT_FACTOR, BALANCES, PRICE_FACTOR } from './planned-fills.ts';

const SMALLEST = 1e8;
const MILLION = 1e6;

export interface FeeRates {
  readonly maker: number;
  readonly taker: number;
}

/** What fills leave in the account: fees out of what comes in, rounded up. */
export function balancesAfter(fills: readonly NaiveFill[], fees: FeeRates): Record<string, number> {
  // All in hundred-millionths, which are whole numbers here.
  let btc = Number(BALANCES.btc) * SMALLEST;
  let usdt = Number(BALANCES.usdt) * SMALLEST;
  for (const { price, amount, takes, sign } of fills) {
    const base = (amount * SMALLEST) / AMOUNT_FACTOR;
    const quote = (price * amount * SMALLEST) / (AMOUNT_FACTOR * PRICE_FACTOR);
    const rate = Math.round((takes ? fees.taker : fees.maker) * MILLION);
    const fee = Math.ceil(((sign > 0 ? base : quote) * rate) / MILLION);
    btc += sign > 0 ? base - fee : -base;
    usdt += sign > 0 ? -quote : quote - fee;
  }
  return { btc: btc / SMALLEST, usdt: usdt / SMALLEST };
}
