import { compareIds, type Trade } from '../domain/index.ts';
import type { Gap } from './source.ts';

/** How many ids are remembered to tell a duplicate from a late trade. */
const REMEMBERED_IDS = 1_000;
/** How many pages from the cursor may add nothing before newer trades count as after a gap. */
const MISSES_MAX = 2;

/** What a page or a batch added: new trades, oldest first, after the gap if there is one. */
export interface TapeGrowth {
  readonly trades: readonly Trade[];
  readonly gap?: Gap;
}

const NOTHING: TapeGrowth = { trades: [] };

/**
 * The public trades of a market as one growing tape without duplicates, ordered by id.
 *
 * Ids grow but need not be consecutive, so a jump proves nothing. What proves continuity is an
 * overlap: pages are asked for from the trade BEFORE the newest one, so an answer must hold the
 * newest trade again. If it does, nothing is missing after that trade. If it does not, but has
 * later trades, the venue no longer keeps the trade at the cursor, and a gap is reported.
 *
 * A trade with a lower id than the newest that was never seen is late, and still joins the tape.
 */
export class TradeTape {
  /** The last ids to arrive, a ring; searched only for ids that are not above the newest. */
  #recent: string[] = [];
  #oldestAt = 0;
  /** Trades up to this id are beyond memory: duplicates, or from before the tape. */
  #floor: string | undefined;
  #newest: Trade | undefined;
  #previousId: string | undefined;
  /**
   * What the next page is for: to go on, to find out why nothing came, or to go on after a pause.
   */
  #reading: 'following' | 'probing' | 'resuming' = 'following';
  #misses = 0;

  /** Id of the newest trade, undefined before the first. */
  get newestId(): string | undefined {
    return this.#newest?.id;
  }

  /** The id to ask for pages from; undefined: ask for the newest page. */
  get since(): string | undefined {
    if (this.#reading !== 'following' || this.#newest === undefined) return undefined;
    return this.#previousId ?? idBefore(this.#newest);
  }

  /** Goes on after a pause with the newest page, and reports a gap rather than reading it all. */
  resume(): void {
    this.#reading = 'resuming';
  }

  /** Takes the answer to a request from `since`, in any order. */
  page(records: readonly Trade[]): TapeGrowth {
    const sorted = sortById(records);
    const newest = this.#newest;
    const overlaps = newest === undefined || sorted.some((trade) => trade.id === newest.id);
    if (!overlaps) return this.#detached(sorted, newest);
    this.#follow();
    return { trades: this.#append(sorted) };
  }

  /** Takes what a feed pushed, in any order; the feed answers for its own continuity. */
  batch(records: readonly Trade[]): TapeGrowth {
    const sorted = records.length === 1 ? records : sortById(records);
    const newest = this.#newest;
    const trades = this.#append(sorted);
    if (trades.length > 0 || newest === undefined) return { trades };
    return this.#wentBack(sorted, newest) ? this.#restart(sorted, newest) : NOTHING;
  }

  /** Takes a feed's batch that does not connect with the tape, and reports the gap. */
  jump(records: readonly Trade[]): TapeGrowth {
    const after = this.newestId;
    const growth = this.batch(records);
    const before = growth.trades.find((trade) => after === undefined || isAfter(trade, after));
    if (after === undefined || before === undefined) return growth;
    const reason = 'the trades before the feed could not be read';
    return { trades: growth.trades, gap: { after, before: before.id, reason } };
  }

  /** A page without the newest trade: a gap, ids that went back, or an outdated answer. */
  #detached(records: readonly Trade[], newest: Trade): TapeGrowth {
    const follower = records.find((trade) => isAfter(trade, newest.id));
    const probing = this.#reading === 'probing';
    if (follower === undefined) {
      if (this.#wentBack(records, newest)) return this.#restart(records, newest);
      if (this.#reading === 'following') this.#misses++;
      this.#reading = probing ? 'following' : 'probing';
      return NOTHING;
    }
    // The page from the cursor may have been outdated: it is asked for once more.
    if (probing && this.#misses < MISSES_MAX) {
      this.#reading = 'following';
      return NOTHING;
    }
    this.#follow();
    const reason = 'the venue gave no page that begins with the newest trade known';
    const gap = { after: newest.id, before: follower.id, reason };
    return { trades: this.#append(records), gap };
  }

  #follow(): void {
    this.#reading = 'following';
    this.#misses = 0;
  }

  /** Whether records that add nothing are later than the newest trade: then the ids went back. */
  #wentBack(records: readonly Trade[], newest: Trade): boolean {
    const last = records.at(-1);
    return (
      last !== undefined &&
      !this.#recent.includes(last.id) &&
      last.exchangeTime > newest.exchangeTime
    );
  }

  /** The venue numbers its trades anew: everything known about ids is void. */
  #restart(records: readonly Trade[], newest: Trade): TapeGrowth {
    this.#recent = [];
    this.#oldestAt = 0;
    this.#floor = undefined;
    this.#newest = undefined;
    this.#previousId = undefined;
    this.#follow();
    const gap = { after: newest.id, before: records[0]!.id, reason: 'the ids of trades went back' };
    return { trades: this.#append(records), gap };
  }

  #append(records: readonly Trade[]): Trade[] {
    const first = records[0];
    if (this.#newest === undefined && first !== undefined) this.#floor = idBefore(first);
    const added: Trade[] = [];
    for (const trade of records) {
      if (this.#isKnown(trade.id)) continue;
      this.#remember(trade.id);
      added.push(trade);
      if (this.#newest === undefined || isAfter(trade, this.#newest.id)) {
        this.#previousId = this.#newest?.id;
        this.#newest = trade;
      }
    }
    return added;
  }

  #isKnown(id: string): boolean {
    if (this.#newest === undefined || compareIds(id, this.#newest.id) > 0) return false;
    if (this.#recent.includes(id)) return true;
    return this.#floor !== undefined && compareIds(id, this.#floor) <= 0;
  }

  /** Keeps an id in the ring, over the oldest one there. */
  #remember(id: string): void {
    const oldest = this.#recent[this.#oldestAt];
    this.#recent[this.#oldestAt] = id;
    this.#oldestAt = (this.#oldestAt + 1) % REMEMBERED_IDS;
    if (oldest === undefined) return;
    if (this.#floor === undefined || compareIds(oldest, this.#floor) > 0) this.#floor = oldest;
  }
}

function isAfter(trade: Trade, id: string): boolean {
  return compareIds(trade.id, id) > 0;
}

function idBefore(trade: Trade): string {
  return (BigInt(trade.id) - 1n).toString();
}

function sortById(records: readonly Trade[]): readonly Trade[] {
  return [...records].sort((a, b) => compareIds(a.id, b.id));
}
