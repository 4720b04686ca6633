import { filter, map, type Observable, scan } from 'rxjs';
import {
  type Candle,
  compareIds,
  haveSameNumbers,
  type Interval,
  type Trade,
} from '../../../../domain/index.ts';
import { renderCandles, renderTrades } from '../render/market-data.ts';
import { type FeedParts, tail } from './feed.ts';
import { followed, partUpdate, type Update, wholeUpdate } from './updates.ts';

/** How many trades a trades channel begins with: one page. Source: contract, Limits. */
const TRADES_FIRST = 50;
/** How many candles a kline channel begins with. */
const CANDLES_FIRST = 100;

/** What a new listener gets, and the part that is new to earlier ones; undefined at first. */
interface History<T> {
  readonly kept: readonly T[];
  readonly fresh: readonly T[] | undefined;
}

/** Trades: the newest page, then each further trade once. */
export function tradesFeed({ host, market, channel, dialect }: FeedParts): Observable<Update> {
  const frameOf = (trades: readonly Trade[]) =>
    `{"data":${renderTrades(trades, dialect)},${tail('trades', channel)}}`;
  const batches = followed(host.market.trades({ market }), host.marketFeed.trades(market));
  return batches.pipe(grown(addTrades), rendered(frameOf));
}

function addTrades(kept: readonly Trade[], batch: readonly Trade[]): History<Trade> {
  const last = kept.at(-1);
  const fresh = last === undefined ? batch : batch.filter(({ id }) => compareIds(id, last.id) > 0);
  return { kept: [...kept, ...fresh].slice(-TRADES_FIRST), fresh };
}

/** Candles of one interval: the known ones, then the running one with every trade. */
export function candlesFeed(
  { host, market, channel }: FeedParts,
  interval: Interval,
): Observable<Update> {
  const frameOf = (candles: readonly Candle[]) =>
    `{"datas":{"data":${renderCandles(candles)}},"channel":"${channel}","isSuc":true}`;
  const query = { market, interval };
  const first = host.market.candles({ ...query, size: CANDLES_FIRST });
  const later = host.marketFeed.candles(query).pipe(map((candle) => [candle]));
  return followed<readonly Candle[]>(first, later).pipe(grown(addCandles), rendered(frameOf));
}

function addCandles(kept: readonly Candle[], batch: readonly Candle[]): History<Candle> {
  if (kept.length === 0) return { kept: batch, fresh: batch };
  const candles = [...kept];
  const fresh = batch.filter((candle) => {
    const at = candles.findLastIndex(({ openTime }) => openTime <= candle.openTime);
    const known = candles[at];
    if (known === undefined) return false;
    if (known.openTime < candle.openTime) candles.splice(at + 1, 0, candle);
    // The wire does not say whether a candle is closed, so that only its numbers count.
    else if (haveSameNumbers(known, candle)) return false;
    else candles[at] = candle;
    return true;
  });
  return { kept: candles.slice(-CANDLES_FIRST), fresh };
}

/** Collects the history; passes on what is new, and the beginning even if it is empty. */
function grown<T>(add: (kept: readonly T[], batch: readonly T[]) => History<T>) {
  return (batches: Observable<readonly T[]>): Observable<History<T>> =>
    batches.pipe(
      scan(
        ({ kept }: History<T>, batch, index) =>
          index === 0 ? { kept: batch, fresh: undefined } : add(kept, batch),
        { kept: [], fresh: undefined },
      ),
      filter(({ fresh }) => fresh === undefined || fresh.length > 0),
    );
}

function rendered<T>(frameOf: (items: readonly T[]) => string) {
  return map(({ kept, fresh }: History<T>) =>
    fresh === undefined
      ? wholeUpdate(frameOf(kept))
      : partUpdate(frameOf(fresh), () => frameOf(kept)),
  );
}
