import { printable, rooms, type Status } from '../app/index.ts';
import { counted, formatNumber } from './format.ts';

const { timeOfDay } = await rooms.nouns();

/** How many wishes were refused for each reason, with the settings behind it: a text per reason. */
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

/** How many orders were rejected, and why the last one, while that is recent: 0 or 1 texts. */
export function rejected({ tally, rejected: newest }: Status): string[] {
  if (newest === undefined) return [];
  const { reason, timeMs } = newest;
  const count = formatNumber(tally.rejected, 0);
  return [`${count}, last: ${printable(reason)}, at ${timeOfDay(timeMs)}`];
}

/** How many orders were rejected, and the most frequent reason. */
export function rejections({ tally }: Status): string {
  const count = `${formatNumber(tally.rejected, 0)} rejected`;
  const [most] = [...tally.rejections.values()].sort((a, b) => b.count - a.count);
  if (most === undefined) return count;
  const reason = printable(most.reason);
  const isAll = most.count === tally.rejected;
  return isAll
    ? `${count}: ${reason}`
    : `${count}, ${formatNumber(most.count, 0)} of them: ${reason}`;
}

/**
 * Says that no market has fresh data any more, and since how long; undefined while one has, or if
 * none ever had.
 */
export function blindness({ markets }: Status): string | undefined {
  if (markets.some(({ fresh }) => fresh)) return undefined;
  const ages = markets.flatMap(({ dataAgeMs }) => dataAgeMs ?? []);
  if (ages.length === 0) return undefined;
  return `blind: no data for ${Math.round(Math.min(...ages) / 1000)} s`;
}

/** What cannot be read at the exchange, why and since when: a text each. */
export function unreadable(status: Status): string[] {
  return status.unreadable.map(({ what, sinceMs, reason }) => {
    return printable(`${what}: ${reason}, since ${timeOfDay(sinceMs)}`);
  });
}

/**
 * The orders that rest where the timed cancel is not confirmed any more, and when the exchange
 * cancels them by itself: two texts a market.
 */
export function outOfReach({ markets, unreadable }: Status): [what: string, when: string][] {
  return markets.flatMap(({ market, bids, asks, heartbeat, whenCancelled, fresh }) => {
    const { lapsedMs, isUnanswered } = heartbeat;
    const count = bids.length + asks.length;
    if (count === 0 || (lapsedMs === undefined && !isUnanswered)) return [];
    // If other requests are answered, only the heartbeat fails.
    const isSilent = isUnanswered && (!fresh || unreadable.length > 0);
    const how = isSilent
      ? 'which cannot be seen or changed now'
      : 'whose heartbeat is not confirmed';
    const what = `${counted(count, 'order')} of ${market.id}, ${how}`;
    return [[what, whenCancelled]];
  });
}

/** How many orders' state is unknown: a text or none. */
export function unknownOrders({ markets }: Status): string[] {
  const all = markets.flatMap(({ bids, asks }) => [...bids, ...asks]);
  const count = all.filter(({ status }) => status === 'unknown').length;
  if (count === 0) return [];
  return [`${counted(count, 'order')}, the exchange is asked what became of them`];
}

/** The markets in a blackout, and until when: a text per end. */
export function inBlackout({ markets }: Status): string[] {
  const shut = markets.filter(({ blackoutUntil }) => blackoutUntil !== undefined);
  const ends = Map.groupBy(shut, ({ blackoutUntil }) => blackoutUntil!);
  return Array.from(ends, ([until, those]) => {
    return `until ${until} in ${those.map(({ market }) => market.id).join(', ')}`;
  });
}

/** Says that a strategy has not wished yet, and how much data it has seen. */
export function noWishYet({ books, candles }: Status['strategies'][number]): string {
  const seen = [
    ...(books > 0 ? [counted(books, 'book')] : []),
    ...(candles > 0 ? [counted(candles, 'candle')] : []),
  ];
  return `no wish yet (${seen.join(' and ') || 'nothing'} seen)`;
}
