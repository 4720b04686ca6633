import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { NEVER, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  checkData,
  type GapNews,
  type RecordChoice,
  recordData,
} from '../../../src/app/history/index.ts';
import {
  type DatasetKind,
  type DatasetOf,
  DEPTH_EVENTS,
  openScan,
  requireDataset,
} from '../../../src/history/index.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/index.ts';
import { NaiveBook } from '../../history/fixture.ts';
import { START_MS } from '../../sim/fixture.ts';
import { scratchFolder } from '../fixture.ts';
import { drive, venueCandles, wireVenue } from './fixture.ts';

type Wire = ReturnType<typeof wireVenue>;

/** A market in which something happens every quarter of a second: a level, and a trade now and then. */
function lively({ subject }: Wire, forMs = Number.POSITIVE_INFINITY): void {
  const { clock, liquidity } = subject;
  let tick = 0;
  const step = (): void => {
    tick++;
    const bids = [30_000 - (tick % 3), 29_990, 29_980].map(
      (price) => [price, 1 + (tick % 5)] as const,
    );
    liquidity.replace({
      bids,
      asks: [
        [30_010 + (tick % 2), 2],
        [30_020, 3],
      ],
    });
    if (tick % 4 === 0) liquidity.print({ takerSide: 'buy', price: 30_010, amount: 0.5 });
    if (tick * 250 < forMs) clock.schedule(step, 250);
  };
  step();
}

interface Recorded {
  readonly choice?: Partial<RecordChoice>;
  readonly stop?: Subject<unknown>;
  readonly gaps?: GapNews[];
}

function record(wire: Wire, root: string, { choice, stop, gaps = [] }: Recorded = {}) {
  const all = { root, markets: ['btc_usdt'], source: 'live', interval: '1min' } as const;
  const work = recordData(
    wire.venue,
    { ...all, kinds: ['depth', 'trades', 'quotes'], durationMs: 30 * SECOND_MS, ...choice },
    { stop: stop ?? NEVER, onGap: (gap) => gaps.push(gap) },
  );
  return drive(wire.subject.clock, work);
}

async function rowsOf(root: string, id: string): Promise<Record<string, number>[]> {
  const rows: Record<string, number>[] = [];
  const dataset = requireDataset(root, id) as DatasetOf<DatasetKind>;
  for await (const chunk of openScan(dataset)) {
    const columns = Object.entries(chunk) as [string, Float64Array][];
    for (let row = 0; row < columns[0]![1].length; row++) {
      rows.push(Object.fromEntries(columns.map(([name, cells]) => [name, cells[row]!])));
    }
  }
  return rows;
}

/** The best bid and ask after each update of a depth dataset. */
function bestOf(rows: readonly Record<string, number>[]) {
  const book = new NaiveBook();
  const found = new Map<number, { bid: number; ask: number }>();
  let update = 0;
  for (const { event, side, price, amount, time, ...row } of rows) {
    if (event === DEPTH_EVENTS.snapshot && row.update !== update) book.replace([], []);
    update = row.update!;
    if (event === DEPTH_EVENTS.trade || event === DEPTH_EVENTS.gap) continue;
    book.change([side === 1 ? 'buy' : 'sell', price!, amount!]);
    const { bid, ask } = book.best;
    found.set(time!, { bid: bid[0], ask: ask[0] });
  }
  return found;
}

describe('recordData', () => {
  it('keeps a book whose best prices are those that were quoted, and the trades', async () => {
    const wire = wireVenue();
    const root = scratchFolder();
    lively(wire);
    const reports = await record(wire, root);
    expect(reports.map(({ id }) => id)).toEqual([
      'live.btc_usdt.depth',
      'live.btc_usdt.trades',
      'live.btc_usdt.quotes',
    ]);
    expect(reports.every(({ rows, gaps }) => rows > 10 && gaps === 0)).toBe(true);
    const depth = await rowsOf(root, 'live.btc_usdt.depth');
    const best = bestOf(depth);
    const quotes = await rowsOf(root, 'live.btc_usdt.quotes');
    for (const { time, bid, ask } of quotes) expect(best.get(time!)).toEqual({ bid, ask });
    const printed = depth.filter(({ event }) => event === DEPTH_EVENTS.trade);
    const trades = await rowsOf(root, 'live.btc_usdt.trades');
    expect(printed.length).toBeGreaterThan(20);
    expect(trades.slice(-printed.length).map(({ time }) => time)).toEqual(
      printed.map(({ time }) => time),
    );
    // What did not change is not written again: not ten levels a quarter of a second.
    expect(depth.length).toBeLessThan(120 * 8);
    expect(await checkData(root, [])).toMatchObject([
      { findings: [] },
      { findings: [] },
      { findings: [] },
    ]);
  });

  it('admits the time between two recordings, but not where trades show that none is missing', async () => {
    const wire = wireVenue();
    const root = scratchFolder();
    lively(wire, 20 * SECOND_MS);
    await record(wire, root);
    wire.subject.pass(5 * SECOND_MS);
    lively(wire, 20 * SECOND_MS);
    const [depth, trades, quotes] = await record(wire, root);
    expect([depth!.gaps, trades!.gaps, quotes!.gaps]).toEqual([1, 0, 1]);
    const ids = await rowsOf(root, 'live.btc_usdt.trades');
    expect(new Set(ids.map(({ time }) => time)).size).toBe(ids.length);
    const [seen] = requireDataset(root, 'live.btc_usdt.depth').gaps;
    expect(seen!.reason).toBe('nothing was recorded');
    expect(seen!.to - seen!.from).toBeGreaterThanOrEqual(5 * SECOND_MS);
    const [report] = await checkData(root, ['live.btc_usdt.depth']);
    expect(report!.findings).toMatchObject([
      { fault: 'gap', count: 1, places: [{ time: seen!.from }] },
    ]);
    // After so long a pause the venue's newest page no longer holds the last trade.
    lively(wire, 2 * MINUTE_MS);
    wire.subject.pass(2 * MINUTE_MS);
    expect((await record(wire, root))[1]!.gaps).toBe(1);
  });
});

describe('recordData, to its end,', () => {
  it('ends in order when it is stopped, and has all up to there', async () => {
    const wire = wireVenue();
    const root = scratchFolder();
    lively(wire);
    const stop = new Subject<unknown>();
    wire.subject.clock.schedule(() => stop.next('Ctrl-C'), 12 * SECOND_MS);
    const reports = await record(wire, root, { stop, choice: { durationMs: undefined } });
    for (const { id, rows } of reports) expect(requireDataset(root, id).rows).toBe(rows);
    const { lastTime } = requireDataset(root, 'live.btc_usdt.quotes');
    expect(lastTime).toBeGreaterThan(START_MS + 11 * SECOND_MS);
  });

  it('records a market once that is named twice', async () => {
    const choice = { markets: ['btc_usdt', 'btc_usdt'], kinds: ['trades'] } as const;
    const reports = await record(wireVenue(), scratchFolder(), { choice });
    expect(reports.map(({ id }) => id)).toEqual(['live.btc_usdt.trades']);
  });

  it('joins candles to those of an earlier recording', async () => {
    const wire = wireVenue();
    const minutes = venueCandles('1min', { from: START_MS - 60 * MINUTE_MS, count: 60 });
    wire.subject.sim.seedHistory('btc_usdt', minutes);
    const root = scratchFolder();
    lively(wire);
    const choice = { kinds: ['candles'], durationMs: 3.5 * MINUTE_MS } as const;
    expect(await record(wire, root, { choice })).toMatchObject([{ rows: 3, gaps: 0 }]);
    wire.subject.pass(7 * MINUTE_MS);
    const [report] = await record(wire, root, { choice });
    expect(report!.gaps).toBe(0);
    const rows = await rowsOf(root, 'live.btc_usdt.1min');
    const steps = rows.slice(1).map(({ time }, at) => time! - rows[at]!.time!);
    expect(new Set(steps)).toEqual(new Set([MINUTE_MS]));
    expect(rows.length).toBeGreaterThan(10);
  });
});

describe('recordData, where data fail,', () => {
  it('writes a gap when nothing comes, and a whole book after it', async () => {
    const wire = wireVenue();
    const root = scratchFolder();
    lively(wire);
    const { exchange, clock } = wire.venue;
    const connection = new Subject<{ connected: boolean; reason: string }>();
    clock.schedule(() => connection.next({ connected: true, reason: 'opened' }), SECOND_MS);
    clock.schedule(
      () => connection.next({ connected: false, reason: 'cable cut' }),
      10 * SECOND_MS,
    );
    const feed = { ...exchange.marketFeed, connection: () => connection };
    const venue = { ...wire.venue, exchange: { ...exchange, marketFeed: feed } };
    const gaps: GapNews[] = [];
    const [depth] = await record({ ...wire, venue }, root, { gaps });
    expect(depth!.gaps).toBe(1);
    expect(gaps.map(({ id, reason }) => [id, reason])).toContainEqual([
      'live.btc_usdt.depth',
      'cable cut',
    ]);
    const rows = await rowsOf(root, 'live.btc_usdt.depth');
    const at = rows.findIndex(({ event }) => event === DEPTH_EVENTS.gap);
    const after = rows.slice(at + 1).find(({ event }) => event !== DEPTH_EVENTS.trade);
    expect(after!.event).toBe(DEPTH_EVENTS.snapshot);
    const dataset = requireDataset(root, 'live.btc_usdt.depth');
    expect(dataset.gaps).toMatchObject([{ reason: 'cable cut', from: rows[at]!.time }]);
  });

  it('ends with what the disk said, keeps what it took, and lets go of the datasets', async () => {
    const wire = wireVenue();
    const root = scratchFolder();
    lively(wire);
    await record(wire, root);
    const id = 'live.btc_usdt.quotes';
    const { rows } = requireDataset(root, id);
    const draft = join(root, id, 'manifest.json.new');
    mkdirSync(draft);
    await expect(record(wire, root)).rejects.toThrow(
      /^Cannot record into .*: .*manifest\.json\.new is a folder, a file is wanted/,
    );
    expect(requireDataset(root, id).rows).toBe(rows);
    rmdirSync(draft);
    expect((await record(wire, root)).length).toBe(3);
    expect(requireDataset(root, id).rows).toBeGreaterThan(rows);
  });

  it('refuses an unknown market and makes no dataset', async () => {
    const wire = wireVenue();
    const root = scratchFolder();
    const work = record(wire, root, { choice: { markets: ['no_market'] } });
    await expect(work).rejects.toThrow('Cannot use market "no_market"');
    expect(await checkData(root, [])).toEqual([]);
  });
});
