/**
 * Rows of depth a second through a whole backtest: bus, strategy, risk, executor and simulated
 * exchange with the depth model, its queue on, with latency of orders and of the feed; journal,
 * equity and charts as `tradewind backtest` keeps them. Making the rows is not counted.
 *
 * The rows are a recording of btc/usdt, played again and again with its time moved on, where it is
 * at hand; made up from a seed elsewhere. The strategy quotes both sides at the best prices and
 * moves its quotes when the middle moved by two basis points. A reference loop runs beside: the same
 * rows into a plain array by price; and the level book alone. Goals: 3.5 M rows/s; five times the rows take at most 5.1 times
 * the time and 16 MB more memory.
 *
 * Each measurement is a process of its own. Run: node bench/backtest-depth.ts [--rows 5m]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { DepthColumns, MarketRecord } from '../src/domain/index.ts';
import { RawReader } from '../src/history/raw.ts';
import { seededRandom } from '../src/kernel/index.ts';
import { LevelBook } from '../src/sim/models/level-book.ts';
import { peakMegabytes, readCount, thousands, timeRun } from './backtest-run.ts';

const RECORDING = new URL(
  '../../shared/data/books/binance-spot/btcusdt_20240808.gz',
  import.meta.url,
);
const CHUNK_ROWS = 65_536;
const GOAL = 3_500_000;
/** How far the middle may move before quotes follow. */
const REQUOTE = 0.000_2;
const COLUMNS = ['time', 'received', 'update', 'event', 'side', 'price', 'amount'] as const;

const { values: flags } = parseArgs({
  options: { rows: { type: 'string', default: '5m' }, alone: { type: 'boolean', default: false } },
});

const QUOTING = `
import { defineStrategy, filter, map, midOf, quotes, z } from '#strategy';
export default defineStrategy({
  name: 'quoting',
  params: z.strictObject({}),
  run: (context) => {
    let quoted = 0;
    return context.depth().pipe(
      filter((depth) => {
        const mid = midOf(depth);
        return mid !== undefined && Math.abs(mid / quoted - 1) > ${REQUOTE};
      }),
      map((depth) => {
        quoted = midOf(depth);
        const [bid, ask] = [depth.bids[0], depth.asks[0]];
        return quotes(context.market, [[bid[0], 0.001]], [[ask[0], 0.001]]);
      }),
    );
  },
});`;

const drawn = (medianMs: number) => ({ lognormal: { medianMs, sigma: 0.5, leastMs: 0 } });
const SETTINGS = {
  fill: { model: 'depth' },
  latency: { order: drawn(5), answer: drawn(5), feed: drawn(10) },
  report: { html: false },
};

type Row = readonly [
  time: number,
  received: number,
  update: number,
  event: number,
  side: number,
  price: number,
  amount: number,
];

/** All rows of the recording, or of one that is made up. */
function readRows(): DepthColumns {
  if (!existsSync(RECORDING)) return columnsOf(madeUpRows());
  return columnsOf(recordedRows());
}

function* recordedRows(): Generator<Row> {
  const reader = new RawReader();
  const lines = gunzipSync(readFileSync(RECORDING)).toString().split('\n');
  let update = 0;
  for (const [at, text] of lines.entries()) {
    if (text === '') continue;
    for (const record of reader.read({ text, number: at + 1 })) yield* rowsOf(record, ++update);
  }
}

function* rowsOf(record: MarketRecord, update: number): Generator<Row> {
  const { time, receivedTime = Number.NaN } = record;
  const row = (event: number, side: number, [price, amount]: readonly [number, number]): Row => {
    return [time, receivedTime, update, event, side, price, amount];
  };
  switch (record.kind) {
    case 'trade':
      yield row(3, record.takerSide === 'buy' ? 1 : -1, [record.price, record.amount]);
      break;
    case 'book':
      for (const level of record.bids) yield row(1, 1, level);
      for (const level of record.asks) yield row(1, -1, level);
      break;
    case 'levels':
      for (const [side, ...level] of record.changes) yield row(2, side === 'buy' ? 1 : -1, level);
      break;
    case 'gap':
      yield row(4, 0, [0, 0]);
      break;
    default:
      record satisfies never;
  }
}

/** Twenty levels a side around a price that wanders, ten updates a second, a trade after each. */
function* madeUpRows(): Generator<Row> {
  const random = seededRandom('depth');
  let mid = 6_000_000;
  let time = Date.UTC(2024, 7, 8);
  for (let update = 1; update < 10_000; update += 2, time += 100) {
    mid += random.integer(7) - 3;
    const event = update === 1 ? 1 : 2;
    for (let level = 1; level <= 20; level++) {
      for (const side of [1, -1]) {
        const price = (mid - side * level) / 100;
        yield [time, time, update, event, side, price, random.integer(5_000) / 1_000];
        const crossed = (mid + side * (level - 1)) / 100;
        if (event === 2) yield [time, time, update, event, side, crossed, 0];
      }
    }
    const side = random.integer(2) * 2 - 1;
    const amount = random.integer(1_000) / 1_000;
    yield [time + 50, time + 50, update + 1, 3, side, (mid + side) / 100, amount];
  }
}

function columnsOf(rows: Iterable<Row>): DepthColumns {
  const columns = COLUMNS.map((): number[] => []);
  for (const row of rows) for (const [at, value] of row.entries()) columns[at]!.push(value);
  return named(columns.map((column) => Float64Array.from(column)));
}

function named(columns: readonly Float64Array[]): DepthColumns {
  const entries = COLUMNS.map((name, at) => [name, columns[at]!]);
  return Object.fromEntries(entries) as unknown as DepthColumns;
}

/** So many rows in chunks: the recording again and again, its times and updates moved on. */
function* chunksOf(recording: DepthColumns, count: number): Generator<DepthColumns> {
  const { length } = recording.time;
  const spanMs = spanOf(recording);
  const chunk = named(COLUMNS.map(() => new Float64Array(CHUNK_ROWS)));
  let at = 0;
  for (let row = 0; row < count; row++) {
    const from = row % length;
    const pass = (row - from) / length;
    chunk.time[at] = recording.time[from]! + pass * spanMs;
    chunk.update[at] = recording.update[from]! + pass * length;
    for (const name of ['received', 'event', 'side', 'price', 'amount'] as const) {
      chunk[name][at] = recording[name][from]!;
    }
    if (++at < CHUNK_ROWS && row + 1 < count) continue;
    yield at === CHUNK_ROWS ? chunk : sliceOf(chunk, at);
    at = 0;
  }
}

/** How long the recording is, and a second until it begins again, milliseconds. */
function spanOf({ time }: DepthColumns): number {
  return time.at(-1)! - time[0]! + 1_000;
}

function sliceOf(chunk: DepthColumns, end: number): DepthColumns {
  return named(COLUMNS.map((name) => chunk[name].subarray(0, end)));
}

/** Rows a second of a backtest. */
async function timeBacktest(recording: DepthColumns, count: number): Promise<number> {
  const { time } = recording;
  const passes = Math.ceil(count / time.length);
  const { playMs, told } = await timeRun({
    ...{ strategy: QUOTING, kind: 'depth', settings: SETTINGS },
    ...{ firstMs: time[0]!, endMs: time[0]! + passes * spanOf(recording) },
    rows: chunksOf(recording, count),
  });
  const rate = (count / playMs) * 1_000;
  console.error(`  ${thousands(count)} rows: ${thousands(rate)} rows/s, ${told}`);
  return rate;
}

/** The reference: rows into one array by price, nobody told. */
function timeReference(recording: DepthColumns, count: number): number {
  const amounts = new Float64Array(1 << 17);
  let sum = 0;
  let spentMs = 0;
  for (const { price, amount, time } of chunksOf(recording, count)) {
    const start = performance.now();
    for (let at = 0; at < time.length; at++) {
      const place = Math.round(price[at]! * 100) & 0x1ffff;
      sum += amounts[place]!;
      amounts[place] = amount[at]!;
    }
    spentMs += performance.now() - start;
  }
  if (Number.isNaN(sum)) throw new Error('a sum is wanted');
  return (count / spentMs) * 1_000;
}

/** Rows a second of the book alone. */
function timeBook(recording: DepthColumns, count: number): number {
  const book = new LevelBook();
  let spentMs = 0;
  for (const { price, amount, side, event } of chunksOf(recording, count)) {
    const start = performance.now();
    for (let at = 0; at < price.length; at++) {
      if (event[at]! > 2) continue;
      const levels = side[at]! > 0 ? book.bids : book.asks;
      levels.set(Math.round(price[at]! * 100), amount[at]!);
    }
    spentMs += performance.now() - start;
  }
  return (count / spentMs) * 1_000;
}

interface Measurement {
  readonly rate: number;
  readonly reference: number;
  /** Of the book alone. */
  readonly book: number;
  readonly megabytes: number;
}

async function measure(count: number): Promise<Measurement> {
  const recording = readRows();
  const reference = timeReference(recording, Math.min(count, 5_000_000));
  const book = timeBook(recording, Math.min(count, 5_000_000));
  const rate = await timeBacktest(recording, count);
  return { rate, reference, book, megabytes: peakMegabytes() };
}

function measureAlone(count: number): Measurement {
  const script = new URL(import.meta.url).pathname;
  const flagged = [script, '--alone', '--rows', String(count)];
  const told = execFileSync(process.execPath, flagged, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(told) as Measurement;
}

const count = readCount(flags.rows);
if (flags.alone) console.log(JSON.stringify(await measure(count)));
else {
  const once = measureAlone(count);
  const five = measureAlone(5 * count);
  const ratio = (measured: Measurement): string => (measured.rate / measured.reference).toFixed(4);
  console.log(`reference, an array by price: ${thousands(once.reference)} rows/s`);
  console.log(`the book alone: ${thousands(once.book)} rows/s`);
  console.log(`rows/s: ${thousands(once.rate)} (goal ${thousands(GOAL)}), ratio ${ratio(once)}`);
  console.log(`five times the rows: ${thousands(five.rate)} rows/s, ratio ${ratio(five)}`);
  const times = (5 * once.rate) / five.rate;
  const more = five.megabytes - once.megabytes;
  console.log(`they take ${times.toFixed(2)} x the time (goal 5.1) and ${more} MB more (goal 16)`);
}
