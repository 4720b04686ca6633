import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { DAY_MS, MINUTE_MS, VirtualClock } from '../../src/kernel/index.ts';
import { readFrom } from '../../src/storage/index.ts';
import type { EventQuery } from '../../src/storage/journal-reader.ts';
import { isMarketData } from '../../src/storage/text/line.ts';
import { orderEvent, orderOf, requestEvent, START_MS, tradeEvent } from './events.ts';
import { eventsIn, journalOf, rowsOf, scratchPath, verified } from './fixture.ts';

/** How long market data is kept here. */
const KEPT_MS = MINUTE_MS;

type Kind = 'trade' | 'order' | 'request';

/** One write, so long after the one before. */
interface Write {
  readonly waitMs: number;
  readonly kinds: readonly Kind[];
  /** Whether a new run begins before the write. */
  readonly restarts?: boolean;
}

function eventOf(kind: Kind, time: number): TradingEvent {
  if (kind === 'trade') return tradeEvent(time - START_MS);
  return kind === 'request' ? requestEvent(time) : orderEvent(orderOf({ changedTime: time }));
}

/** A journal with these writes, and the events of each run. */
function written(writes: readonly Write[]) {
  const path = scratchPath();
  const clock = new VirtualClock(START_MS);
  const begin = () => journalOf({ path, clock, keepDays: KEPT_MS / DAY_MS });
  let journal = begin();
  const runs: TradingEvent[][] = [[]];
  for (const { waitMs, kinds, restarts = false } of writes) {
    clock.advanceBy(waitMs);
    if (restarts) {
      journal.close();
      journal = begin();
      runs.push([]);
    }
    for (const kind of kinds) {
      const event = eventOf(kind, clock.now());
      journal.append(event);
      runs.at(-1)!.push(event);
    }
    journal.commit();
  }
  journal.close();
  return { path, runs, nowMs: clock.now() };
}

interface ChunkRow {
  readonly run: number;
  readonly first: number;
  readonly since: number;
  readonly until: number;
  readonly requests: string | null;
  readonly body: string;
}

function chunksIn(path: string): ChunkRow[] {
  return rowsOf(path, 'SELECT * FROM chunks ORDER BY run, first') as unknown as ChunkRow[];
}

/** Checks that the rows of each run have all lines in place. */
function checkPlaces(chunks: readonly ChunkRow[]): void {
  const next = new Map<number, number>();
  for (const { run, first, body } of chunks) {
    expect(first).toBe(next.get(run) ?? 1);
    next.set(run, first + body.split('\n').length);
  }
}

function timesOfRequests(events: readonly TradingEvent[]): number[] {
  return events.flatMap((event) => (event.kind === 'request' ? event.time : []));
}

const write = fc.record({
  waitMs: fc.constantFrom(1, 200, 3_000, 20_000, 200, 3_000, 300_000),
  kinds: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Kind[]>(['trade']) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom<Kind>('trade', 'order', 'request'), {
        ...{ minLength: 1, maxLength: 4 },
      }),
    },
  ),
  restarts: fc.integer({ min: 0, max: 20 }).map((draw) => draw === 0),
});

describe('EmptiedChunks', () => {
  it('leave every other line at its place, whatever is joined', () => {
    const writes = fc.array(write, { minLength: 20, maxLength: 80, size: 'max' });
    fc.assert(
      fc.property(writes, (all) => {
        const { path, runs } = written(all);
        const chunks = chunksIn(path);
        checkPlaces(chunks);
        for (const [at, events] of runs.entries()) {
          const left = eventsIn(path, at + 1);
          const others = (list: readonly TradingEvent[]) =>
            list.filter((one) => !isMarketData(one));
          expect(others(left)).toEqual(others(events));
          expect(verified(path, at + 1)).toEqual({ intact: true, events: left.length });
          const ofRun = chunks.filter(({ run }) => run === at + 1);
          const told = ofRun.flatMap(({ requests }) => JSON.parse(requests ?? '[]') as number[]);
          expect(told).toEqual(timesOfRequests(events));
        }
      }),
      { seed: 71, numRuns: 40 },
    );
  });

  it('are a row a minute at most, and found by what is in them', () => {
    const writes = Array.from(
      { length: 1_200 },
      (_, at): Write => ({
        waitMs: 500,
        kinds: at % 100 === 0 ? ['trade', 'order'] : ['trade'],
      }),
    );
    const { path, nowMs } = written(writes);
    const old = chunksIn(path).filter(({ until }) => until < nowMs - KEPT_MS - 2 * MINUTE_MS);
    expect(old.length).toBeLessThan(9);
    for (const { since, until } of old) expect(until - since).toBeLessThanOrEqual(MINUTE_MS);
    const placesOf = (query: EventQuery) =>
      readFrom(path, (reader) => [...reader.events(query)].map(({ sequence }) => sequence));
    expect(placesOf({ kinds: ['order'] }).slice(0, 3)).toEqual([2, 103, 204]);
    expect(placesOf({ kinds: ['order'], after: 150 })[0]).toBe(204);
  });

  it('are no larger than what is quickly read, and tell the times of what is in them', () => {
    const kinds: readonly Kind[] = ['trade', ...Array.from({ length: 20 }, () => 'order' as const)];
    const { path } = written(Array.from({ length: 100 }, () => ({ waitMs: 1_000, kinds })));
    const chunks = chunksIn(path);
    const joined = chunks.filter(({ body }) => body.split('\n').length > kinds.length);
    expect(joined.length).toBeGreaterThan(2);
    for (const { body, since, until } of joined) {
      expect(body.length).toBeLessThanOrEqual(65_536 + 2);
      const times = [...body.matchAll(/"time":(\d+)/g)].map(([, time]) => Number(time));
      expect([since, until]).toEqual([Math.min(...times), Math.max(...times)]);
    }
  });
});
