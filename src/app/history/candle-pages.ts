import { type Candle, INTERVAL_MS, type Interval } from '../../domain/index.ts';
import type { CandleQuery, MarketDataPort } from '../../exchange/index.ts';
import { type Clock, SECOND_MS } from '../../kernel/index.ts';
import type { Page, Span } from './download-spans.ts';
import type { Ask } from './questions.ts';

/** Most candles in an answer. Source: contract, kline `size`. */
const CANDLES_MAX = 1_000;
/** A candle that ended less than this ago by our clock may still run by the venue's. Our choice. */
const SETTLED_MS = 5 * SECOND_MS;

export interface CandlePagesOptions {
  readonly ask: Ask;
  readonly data: MarketDataPort;
  readonly clock: Clock;
  readonly market: string;
  readonly interval: Interval;
}

/**
 * The closed candles of a span, a page at a time, oldest first.
 *
 * "At most the latest 1000" may leave out the older part of what was asked for. Then a page begins
 * after the wanted candle, and the candles between are a gap.
 */
export async function* candlePages(
  { from, to }: Span,
  { ask, data, clock, market, interval }: CandlePagesOptions,
): AsyncGenerator<Page> {
  const stepMs = INTERVAL_MS[interval];
  let next = from;
  while (next + stepMs <= Math.min(to, clock.now() - SETTLED_MS)) {
    const query: CandleQuery = { market, interval, size: CANDLES_MAX };
    const since = Number.isFinite(next) ? { since: next - 1 } : {};
    const page = await ask(() => data.candles({ ...query, ...since }));
    if (page === undefined) return;
    const told = page.filter(({ openTime }) => openTime >= next);
    const [first] = told;
    const last = told.at(-1);
    if (first === undefined || last === undefined) return;
    const settled = told.filter((candle) => candle.openTime < to && isSettled(candle, clock));
    const isCut = page.length >= CANDLES_MAX && Number.isFinite(next) && first.openTime > next;
    const gap = isCut
      ? { gap: { from: next - stepMs, to: Math.min(first.openTime, to), reason: OUT_OF_REACH } }
      : {};
    next = last.openTime + stepMs;
    yield { rows: settled.map(rowOf), reached: Math.min(last.openTime, to), ...gap };
    if (page.length < CANDLES_MAX) return;
  }
}

const OUT_OF_REACH = `the venue tells its latest ${CANDLES_MAX} candles alone`;

function isSettled({ closed, openTime, interval }: Candle, clock: Clock): boolean {
  return closed && openTime + INTERVAL_MS[interval] + SETTLED_MS <= clock.now();
}

function rowOf({ openTime, open, high, low, close, volume }: Candle) {
  return [openTime, open, high, low, close, volume];
}
