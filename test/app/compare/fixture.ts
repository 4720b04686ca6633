import type { TradedOrder } from '../../../src/app/compare/digest.ts';
import { Decimal } from '../../../src/kernel/index.ts';

let made = 0;

/** An order that traded nothing but what is said. */
export function tradedOf(
  overrides: {
    readonly side?: 'buy' | 'sell';
    readonly market?: string;
    readonly strategy?: string;
    readonly createdTime?: number;
    readonly price?: number;
    readonly amount?: string;
    readonly value?: string;
    readonly fees?: Readonly<Record<string, string>>;
  } = {},
): TradedOrder {
  const { side = 'buy', market = 'btc_usdt', strategy = 'maker', createdTime = 0 } = overrides;
  const { price = 100, amount = '0', value = '0', fees = {} } = overrides;
  return {
    ...{ side, market, strategy, createdTime, price, clientOrderId: `order${made++}` },
    ...{ amount: Decimal.of(amount), value: Decimal.of(value) },
    fees: new Map(Object.entries(fees).map(([name, fee]) => [name, Decimal.of(fee)])),
    ...{ answeredMs: undefined, filledMs: undefined },
  };
}
