import { currenciesOf, type TradingEvent } from '../../../src/domain/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import type { RecordedFill } from '../../../src/report/index.ts';

/** What an account owns of each currency, to the last digit. */
export type Owned = Readonly<Record<string, string>>;

/** By its balances as they were last told. */
export function ownedByBalances(events: Iterable<TradingEvent>): Owned {
  const owned: Record<string, string> = {};
  for (const event of events) {
    if (event.kind !== 'balance') continue;
    for (const { currency, available, frozen } of event.balances) {
      owned[currency] = `${available.plus(frozen)}`;
    }
  }
  return owned;
}

/** By what it started with, and what fills brought and took. */
export function ownedByFills(start: Owned, fills: Iterable<RecordedFill>): Owned {
  const owned = { ...start };
  const add = (currency: string, amount: Decimal): void => {
    owned[currency] = `${Decimal.of(owned[currency] ?? 0).plus(amount)}`;
  };
  for (const { market, side, amount, value, fee, feeCurrency } of fills) {
    const { base, quote } = currenciesOf(market);
    const filled = Decimal.of(amount);
    add(base, side === 'buy' ? filled : filled.negated());
    add(quote, side === 'buy' ? value.negated() : value);
    add(feeCurrency, fee.negated());
  }
  return owned;
}
