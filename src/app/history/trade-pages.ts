import { compareIds, type Trade } from '../../domain/index.ts';
import type { MarketDataPort } from '../../exchange/index.ts';
import type { DatasetRow } from '../../history/index.ts';
import type { Page, Span } from './download-spans.ts';
import type { Ask } from './questions.ts';

/** Most trades in an answer. Source: contract, Public trades. */
const TRADES_MAX = 50;

export interface TradePagesOptions {
  readonly ask: Ask;
  readonly data: MarketDataPort;
  readonly market: string;
  /** The trade before the span, if known: the first page must continue from it. */
  readonly after?: { readonly id: string; readonly time: number } | undefined;
  /**
   * Whether the span includes its end: some trades of that moment may be known, which their ids
   * tell, and others not.
   */
  readonly isEndIn: boolean;
}

/**
 * The trades of a span, a page at a time, oldest first.
 *
 * Ids need not be consecutive, so each page is asked for from just before the last known trade, and
 * must contain it again. If it does not, the venue no longer keeps that trade, and the time between
 * is a gap.
 */
export async function* tradePages(span: Span, options: TradePagesOptions): AsyncGenerator<Page> {
  const { ask, data, market, after, isEndIn } = options;
  const isBehind = (time: number): boolean => (isEndIn ? time > span.to : time >= span.to);
  let last = after;
  let since = last === undefined ? await startOf(span.from, options) : before(last.id);
  /** Time of the last trade before ids began anew: the next trade follows no known one. */
  let anew: number | undefined;
  while (since !== undefined) {
    const cursor = since;
    const page = await ask(() => data.trades({ market, since: cursor }));
    if (page === undefined) return;
    const known = last;
    const fresh = byId(page).filter(
      ({ id }) => known === undefined || compareIds(id, known.id) > 0,
    );
    const [first] = fresh;
    const newest = fresh.at(-1);
    if (first === undefined || newest === undefined) {
      if (known === undefined || !(await wentBack(known, options))) return;
      anew = known.time;
      last = undefined;
      since = await startOf(known.time + 1, options);
      continue;
    }
    const follows = known === undefined || page.some(({ id }) => id === known.id);
    // What follows a known trade is new, even where its stamp is a little older.
    const begin = after === undefined ? span.from : (anew ?? Number.NEGATIVE_INFINITY);
    const within = fresh.filter(({ exchangeTime: t }) => t >= begin && !isBehind(t));
    const gap = gapBefore(first.exchangeTime, { known: follows ? undefined : known, anew });
    // A single trade may have a wrong time, so the last two must be beyond the end.
    const isOver = fresh.slice(-2).every(({ exchangeTime }) => isBehind(exchangeTime));
    const sound = isOver ? newest : fresh.findLast(({ exchangeTime }) => !isBehind(exchangeTime))!;
    yield { rows: within.map(tradeRow), reached: sound.exchangeTime, ...gap };
    if (isOver || (follows && page.length < TRADES_MAX)) return;
    anew = undefined;
    last = { id: newest.id, time: sound.exchangeTime };
    since = fresh.at(-2)?.id ?? before(newest.id);
  }
}

type Known = NonNullable<TradePagesOptions['after']>;

/** The gap before a trade that does not follow the known one, or begins ids anew. */
function gapBefore(
  to: number,
  { known, anew }: { readonly known: Known | undefined; readonly anew: number | undefined },
): Pick<Page, 'gap'> {
  if (anew !== undefined) return { gap: { from: anew, to, reason: IDS_WENT_BACK } };
  return known === undefined ? {} : { gap: { from: known.time, to, reason: NOT_KEPT } };
}

const IDS_WENT_BACK = 'the ids of trades went back';
const NOT_KEPT = 'the venue no longer keeps the trades between';

/** A trade as a row. `received` is left empty: a download does not tell when it could be seen. */
function tradeRow({ exchangeTime, id, price, amount, side }: Trade): DatasetRow {
  return [exchangeTime, undefined, id, price, amount, side === 'buy' ? 1 : -1];
}

/** Bisects for an id right after which the trades of a time begin; undefined if there are none. */
async function startOf(
  time: number,
  { ask, data, market }: TradePagesOptions,
): Promise<string | undefined> {
  const page = async (since?: string) => {
    const query = since === undefined ? { market } : { market, since };
    const trades = await ask(() => data.trades(query));
    return trades && byId(trades)[0];
  };
  const newest = await page();
  if (newest === undefined) return undefined;
  if (newest.exchangeTime < time) return before(newest.id);
  let low = 0n;
  let high = BigInt(newest.id);
  // One page covers the ids that are left.
  while (high - low > BigInt(TRADES_MAX)) {
    const middle = (low + high) / 2n;
    const first = await page(`${middle}`);
    if (first === undefined) return undefined;
    if (first.exchangeTime >= time) high = middle;
    else low = BigInt(first.id) > middle ? BigInt(first.id) : middle;
  }
  return `${low}`;
}

/** Whether ids began anew: the newest trade is later than a known one, but its id is not. */
async function wentBack(known: Known, { ask, data, market }: TradePagesOptions): Promise<boolean> {
  const newest = byId((await ask(() => data.trades({ market }))) ?? []).at(-1);
  return (
    newest !== undefined && newest.exchangeTime > known.time && compareIds(newest.id, known.id) <= 0
  );
}

function byId(trades: readonly Trade[]): Trade[] {
  return [...trades].sort((a, b) => compareIds(a.id, b.id));
}

function before(id: string): string {
  return `${BigInt(id) - 1n}`;
}
