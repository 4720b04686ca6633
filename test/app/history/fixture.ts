import { setImmediate } from 'node:timers/promises';
import { of } from 'rxjs';
import type { ConnectedVenue } from '../../../src/app/index.ts';
import { type Candle, INTERVAL_MS, type Interval, type Trade } from '../../../src/domain/index.ts';
import type { FullExchange } from '../../../src/exchange/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { opener, type Subject } from '../../contract/subjects.ts';
import { fakeVenue } from '../terminal/fixture.ts';

/** Runs virtual time until a promise is settled: as far as somebody waits for it. */
export async function drive<T>(clock: VirtualClock, work: Promise<T>): Promise<T> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  work.then(settle, settle);
  while (!settled) {
    for (let turn = 0; turn < 3 && !settled; turn++) await setImmediate();
    if (!settled) clock.runNext();
  }
  return work;
}

/** A venue over the real wire, in this process and on virtual time. */
export function wireVenue(options: Parameters<ReturnType<typeof opener>>[0] = {}): {
  readonly venue: ConnectedVenue;
  readonly subject: Subject;
} {
  const subject = opener('documented wire')(options);
  return { subject, venue: venueOf(subject.main, subject.clock) };
}

export function venueOf(exchange: FullExchange, clock: VirtualClock): ConnectedVenue {
  return { ...fakeVenue(), exchange, clock, host: 'data.example' };
}

/** Candles whose open counts up, one an interval. */
export function venueCandles(
  interval: Interval,
  { from, count }: { readonly from: number; readonly count: number },
): Candle[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ market: 'btc_usdt', interval, openTime: from + at * INTERVAL_MS[interval] },
    ...{ exchangeTime: from, receivedTime: from, closed: true, volume: 2 },
    ...{ open: 100 + at, high: 102 + at, low: 99 + at, close: 101 + at },
  }));
}

/** Trades a second apart whose ids count up by three. */
export function venueTrades({ from, count }: { from: number; count: number }): Trade[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ market: 'btc_usdt', id: String(1_000 + 3 * at), price: 100 + at, amount: 1 },
    ...{ side: at % 2 === 0 ? 'buy' : 'sell', exchangeTime: from + 1_000 * at },
    receivedTime: from,
  }));
}

/** What a venue made of lists keeps and how it pages. */
export interface ListedData {
  candles: readonly Candle[];
  trades: readonly Trade[];
  /** Of candles after a time, whether a page has the newest or the oldest. */
  pages: 'newest' | 'oldest';
}

/** A venue that answers from lists, and counts what it was asked. */
export function listedVenue(data: Partial<ListedData> = {}, startMs = 0) {
  const listed: ListedData = { candles: [], trades: [], pages: 'newest', ...data };
  const clock = new VirtualClock(startMs);
  const asked: { time: number; query: unknown }[] = [];
  const venue = venueOf(fakeVenue().exchange, clock);
  const market: FullExchange['market'] = {
    ...venue.exchange.market,
    candles: (query) => {
      asked.push({ time: clock.now(), query });
      const { since = -1, size = 1_000 } = query;
      const all = listed.candles
        .filter(({ openTime }) => openTime > since && openTime <= clock.now())
        .map((one) => ({
          ...one,
          closed: one.openTime + INTERVAL_MS[one.interval] <= clock.now(),
        }));
      return of(listed.pages === 'newest' ? all.slice(-size) : all.slice(0, size));
    },
    trades: ({ since }) => {
      asked.push({ time: clock.now(), query: since });
      const known = listed.trades.filter(({ exchangeTime }) => exchangeTime <= clock.now());
      if (since === undefined) return of(known.slice(-50));
      return of(known.filter(({ id }) => BigInt(id) > BigInt(since)).slice(0, 50));
    },
  };
  return { clock, asked, listed, venue: { ...venue, exchange: { ...venue.exchange, market } } };
}
