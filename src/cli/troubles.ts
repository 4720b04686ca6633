import type { Status } from '../app/index.ts';
import { counted, formatNumber, timeOfDay } from './format.ts';
import { printable } from './printable.ts';

/** How often each reason of a refusal came, and the settings that say so: a text each. */
export function refused({ tally, limits }: Status): string[] {
  return Array.from(tally.refusals, ([code, count]) => {
    const settings = limits.get(code);
    return `${code} ${formatNumber(count, 0)}${settings === undefined ? '' : ` (${settings})`}`;
  });
}

/** What cannot be read at the exchange, why and since when: a text each. */
export function unreadable(status: Status): string[] {
  return status.unreadable.map(({ what, sinceMs, reason }) => {
    return `${what}: ${printable(reason)}, since ${timeOfDay(sinceMs)}`;
  });
}

/** That a strategy has never wished: it may only have seen too little, so how much that was. */
export function noWishYet({ books, candles }: Status['strategies'][number]): string {
  const seen = [
    ...(books > 0 ? [counted(books, 'book')] : []),
    ...(candles > 0 ? [counted(candles, 'candle')] : []),
  ];
  return `no wish yet (${seen.join(' and ') || 'nothing'} seen)`;
}
