import type { Status } from '../app/index.ts';
import { counted, formatNumber, timeOfDay } from './format.ts';
import { printable } from './printable.ts';

/** How many wishes were refused for each reason, and the settings that say so: a text each. */
export function refused({ tally, limits }: Status): string[] {
  return Array.from(tally.refusals, ([code, { wishes, tries }]) => {
    const settings = limits.get(code);
    const count = formatNumber(wishes, 0);
    // A wish that stands is tried again and again.
    const isTriedAgain = tries > wishes;
    const what = `${wishes === 1 ? 'wish' : 'wishes'}, ${formatNumber(tries, 0)} tries`;
    const times = isTriedAgain ? `${count} ${what}` : count;
    return `${code} ${times}${settings === undefined ? '' : ` (${settings})`}`;
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
