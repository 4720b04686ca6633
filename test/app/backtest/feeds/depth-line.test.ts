import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DepthLine } from '../../../../src/app/backtest/feeds/depth-line.ts';
import {
  type Hearing,
  PolledHearing,
  PushedHearing,
} from '../../../../src/app/backtest/hearing/hearing.ts';
import type { DepthColumns } from '../../../../src/domain/index.ts';
import { DEPTH_EVENTS } from '../../../../src/history/index.ts';
import { VirtualClock } from '../../../../src/kernel/index.ts';
import { DepthFeed } from '../../../../src/sim/index.ts';
import { makeMarket } from '../../../domain/fixture.ts';

const COLUMNS = ['time', 'received', 'update', 'event', 'side', 'price', 'amount'] as const;

interface Change {
  readonly time: number;
  readonly price: number;
  readonly amount: number;
}

/** A book of bids, whole at first, and the changes of its levels, one an update. */
function columnsOf(changes: readonly Change[]): DepthColumns {
  const column = (of: (change: Change, at: number) => number) => Float64Array.from(changes, of);
  return {
    time: column(({ time }) => time),
    received: column(({ time }) => time),
    update: column((_, at) => at),
    event: column((_, at) => (at === 0 ? DEPTH_EVENTS.snapshot : DEPTH_EVENTS.change)),
    side: column(() => 1),
    price: column(({ price }) => price),
    amount: column(({ amount }) => amount),
  };
}

type Told = readonly [heardMs: number, bids: string];

/** What is published of a book, until all of its rows are heard. */
function published(changes: readonly Change[], { hearing = polled(), takesMs = 40 } = {}): Told[] {
  const clock = new VirtualClock();
  const told: Told[] = [];
  const feed = new DepthFeed({
    ...{ clock, market: makeMarket(), conflates: true },
    publish: (event) => {
      if (event.kind === 'depth') told.push([event.receivedTime, JSON.stringify(event.bids)]);
    },
  });
  const rowMs = ({ time }: { time: Float64Array }, at: number) =>
    hearing.heardMs(time[at]!, takesMs) - time[at]!;
  const line = new DepthLine({ columns: COLUMNS, book: hearing, bookMs: rowMs, tradesMs: rowMs });
  const rows = columnsOf(changes);
  const hear = () => {
    const { nextMs } = line;
    clock.advanceTo(nextMs);
    for (; line.nextMs === nextMs; line.shift()) feed.hear(line.rows, line.run);
    feed.complete();
  };
  for (const [at, { time }] of changes.entries()) {
    while (line.nextMs < time) hear();
    line.push(rows, { at, end: at + 1 });
  }
  line.end();
  while (line.nextMs < Number.POSITIVE_INFINITY) hear();
  return told;
}

const polled = (everyMs = 500): Hearing =>
  new PolledHearing({ firstMs: 0, everyMs, timeoutMs: 5_000, backoffMaxMs: 30_000 }, []);

const CHANGES = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 0, max: 1_500 }),
      price: fc.integer({ min: 1, max: 5 }),
      amount: fc.integer({ min: 0, max: 3 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((steps) => {
    let time = 100;
    return steps.map(({ pause, price, amount }, at) => {
      time += pause;
      return { time, price, amount: at === 0 ? amount + 1 : amount };
    });
  });

/** The bids once all changes up to a time have happened. */
function bidsAt(changes: readonly Change[], untilMs: number): string {
  const levels = new Map<number, number>();
  for (const { time, price, amount } of changes) {
    if (time > untilMs) break;
    if (amount > 0) levels.set(price, amount);
    else levels.delete(price);
  }
  return JSON.stringify([...levels].sort(([a], [b]) => b - a));
}

/** When each run under way is heard, and the prices of its rows. */
function heardOf(line: DepthLine): [number, number[]][] {
  const heard: [number, number[]][] = [];
  for (; line.nextMs < Number.POSITIVE_INFINITY; line.shift()) {
    const { at, end } = line.run;
    heard.push([line.nextMs, [...line.rows.price.subarray(at, end)]]);
  }
  return heard;
}

describe('DepthLine', () => {
  it('shows with each answer the book as it stood when that was asked for', () => {
    fc.assert(
      fc.property(CHANGES, fc.constantFrom(0, 40, 499), (changes, takesMs) => {
        const [first, last] = [changes[0]!.time, changes.at(-1)!.time];
        const expected: Told[] = [];
        for (let askedMs = Math.ceil(first / 500) * 500; askedMs < last + 500; askedMs += 500) {
          expected.push([askedMs + takesMs, bidsAt(changes, askedMs)]);
        }
        expect(published(changes, { takesMs })).toEqual(expected);
      }),
    );
  });

  it('shows a book again when an outage is over, changed or not', () => {
    const change = { time: 100, price: 1, amount: 1 };
    const hearing = new PushedHearing([
      { fromMs: 200, toMs: 300 },
      { fromMs: 500, toMs: 700 },
    ]);
    const told = published([change, { ...change, time: 600, amount: 2 }], { hearing, takesMs: 5 });
    expect(told).toEqual([
      [105, '[[1,1]]'],
      [305, '[[1,1]]'],
      [705, '[[1,2]]'],
    ]);
  });
});

describe('DepthLine, of trades too,', () => {
  it('shows the book again behind a trade, and no trade twice', () => {
    const { change, trade } = DEPTH_EVENTS;
    const line = new DepthLine({
      ...{ columns: COLUMNS, book: { nextMs: (timeMs) => timeMs + 100 } },
      ...{ bookMs: () => 0, tradesMs: () => 0 },
    });
    const changes = [100, 250].map((time) => ({ time, price: 1, amount: 1 }));
    const rows = { ...columnsOf(changes), event: Float64Array.of(change, trade) };
    line.push(rows, { at: 0, end: 2 });
    const heard: [number, number][] = [];
    for (; line.nextMs <= 400; line.shift()) {
      heard.push([line.nextMs, line.rows.event[line.run.at]!]);
    }
    expect(heard).toEqual([
      [100, change],
      [200, change],
      [250, trade],
      [300, change],
      [400, change],
    ]);
  });

  it('parts a run of both kinds, and keeps what is under way of columns that are used anew', () => {
    const { change, trade } = DEPTH_EVENTS;
    const line = new DepthLine({
      ...{ columns: COLUMNS, book: { nextMs: () => Number.POSITIVE_INFINITY } },
      ...{ bookMs: () => 20, tradesMs: () => 10 },
    });
    const changes = [1, 2, 3, 4].map((price) => ({ time: 100, price, amount: 1 }));
    const rows = { ...columnsOf(changes), event: Float64Array.of(change, trade, change, change) };
    line.push(rows, { at: 0, end: 4 });
    line.keep();
    rows.price.fill(9);
    expect(heardOf(line)).toEqual([
      [110, [2]],
      [120, [1]],
      [120, [3, 4]],
    ]);
  });

  it('asks anew for a row that is played behind a later one of the other kind', () => {
    const { change, trade } = DEPTH_EVENTS;
    // As one is heard that happens when it is played.
    let playedMs = 0;
    const rowMs = ({ time }: { time: Float64Array }, at: number): number =>
      playedMs + 10 - time[at]!;
    const line = new DepthLine({
      ...{ columns: COLUMNS, book: { nextMs: () => Number.POSITIVE_INFINITY } },
      ...{ bookMs: rowMs, tradesMs: rowMs },
    });
    const times = [100, 100, 150, 100, 200, 150];
    const changes = times.map((time, at) => ({ time, price: at + 1, amount: 1 }));
    const event = Float64Array.of(trade, trade, change, trade, trade, change);
    const rows = { ...columnsOf(changes), event };
    for (const [at, time] of times.entries()) {
      playedMs = Math.max(playedMs, time);
      line.push(rows, { at, end: at + 1 });
    }
    expect(heardOf(line)).toEqual([
      [110, [1]],
      [110, [2]],
      [160, [4]],
      [160, [3]],
      [210, [5]],
      [210, [6]],
    ]);
  });
});
