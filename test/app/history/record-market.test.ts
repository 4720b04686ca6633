import fc from 'fast-check';
import { Subject, type Subscription } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  recordCandles,
  recordDepth,
  recordTrades,
} from '../../../src/app/history/record-market.ts';
import { RecordedRows } from '../../../src/app/history/recorded-rows.ts';
import type { Candle, DataStream, Depth, Trade, TradingEvent } from '../../../src/domain/index.ts';
import type { Connection } from '../../../src/exchange/index.ts';
import { DatasetWriter } from '../../../src/history/index.ts';
import { Bus, MINUTE_MS, VirtualClock } from '../../../src/kernel/index.ts';
import { rowsOf, timesOf } from '../../history/store/fixture.ts';
import { scratchFolder } from '../fixture.ts';
import { venueCandles, venueTrades } from './fixture.ts';

const START = Date.UTC(2024, 0, 1);
const RECORDERS = { candles: recordCandles, trades: recordTrades, depth: recordDepth };

/** Recordings of one kind into one folder, one after the other, told by hand. */
class Recorder {
  readonly #root = scratchFolder();
  readonly #kind: keyof typeof RECORDERS;
  readonly #candles = new Subject<Candle>();
  readonly #trades = new Subject<Trade>();
  readonly #books = new Subject<Depth>();
  readonly #connection = new Subject<Connection>();
  readonly #clock = new VirtualClock(START);
  readonly #bus = new Bus<TradingEvent>();
  #recording: Subscription | undefined;
  writer!: DatasetWriter;
  rows!: RecordedRows;

  constructor(kind: keyof typeof RECORDERS) {
    this.#kind = kind;
    onTestFinished(() => this.stop());
  }

  async start(): Promise<void> {
    const { streams, clock } = { streams: this.#streams(), clock: this.#clock };
    const isCandles = this.#kind === 'candles';
    const key = { source: 'live', market: 'btc_usdt', kind: this.#kind };
    this.writer = new DatasetWriter({
      ...{ root: this.#root, name: 'venue', format: 'record' },
      ...(isCandles ? { key: { ...key, resolution: '1min' }, stepMs: MINUTE_MS } : { key }),
    });
    this.rows = new RecordedRows({ writer: this.writer, clock, onGap: () => {} });
    const feeds = { streams, clock, bus: this.#bus, connection: this.#connection };
    const begin = await RECORDERS[this.#kind](
      { ...feeds, market: 'btc_usdt', interval: '1min' },
      { rows: this.rows, writer: this.writer },
    );
    this.#recording = begin();
  }

  stop(): void {
    this.#recording?.unsubscribe();
    this.writer.close();
  }

  tell(candle: Candle): void {
    this.#candles.next(candle);
  }

  print(trade: Trade): void {
    this.#trades.next(trade);
  }

  show(book: Depth): void {
    this.#books.next(book);
  }

  connect(connected: boolean): void {
    this.#connection.next({ connected, reason: connected ? 'opened' : 'cable cut' });
  }

  /** Rows of a stream of the market are missing. */
  miss(stream: DataStream): void {
    const [time, reason] = [this.#clock.now(), `a jump in ${stream}`];
    const span = { after: '1', before: '3' };
    this.#bus.publish({ kind: 'gap', market: 'btc_usdt', stream, time, reason, ...span });
  }

  async flush(atMs: number): Promise<void> {
    this.#clock.advanceTo(atMs);
    await this.rows.flush();
  }

  #streams() {
    return { candles: () => this.#candles, trades: () => this.#trades, depth: () => this.#books };
  }
}

/** The candle of a minute after the start; what a push has missed is in its later versions. */
function minute(at: number, version = 0): Candle {
  const [candle] = venueCandles('1min', { from: START + at * MINUTE_MS, count: 1 });
  return { ...candle!, volume: 2 + version };
}

const rowOf = ({ openTime, open, high, low, close, volume }: Candle): number[] => [
  ...[openTime, open, high, low],
  ...[close, volume],
];

/** What happens to a recording; `back` counts candles from the newest, `missed` those meanwhile. */
const STEP = fc.oneof(
  fc.record({ does: fc.constant('close' as const) }),
  fc.record({ does: fc.constantFrom('revise', 'repeat'), back: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ does: fc.constant('flush' as const) }),
  fc.record({ does: fc.constant('restart' as const), missed: fc.integer({ min: 0, max: 3 }) }),
);

describe('recordCandles', () => {
  it('has of each minute what the venue told last, whenever it goes to disk', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
        const recorder = new Recorder('candles');
        await recorder.start();
        const told = [minute(0)];
        recorder.tell(told[0]!);
        for (const [version, step] of steps.entries()) {
          const at = Math.max(0, told.length - 1 - ('back' in step ? step.back : 0));
          if (step.does === 'close') told.push(minute(told.length));
          if (step.does === 'revise') told[at] = minute(at, version + 1);
          if (step.does === 'flush') await recorder.rows.flush();
          else if ('missed' in step) {
            await recorder.rows.flush();
            recorder.stop();
            told[told.length - 1] = minute(told.length - 1, version + 1);
            for (let missed = 0; missed < step.missed; missed++) told.push(minute(told.length));
            await recorder.start();
            for (const candle of told) recorder.tell(candle);
          } else recorder.tell(step.does === 'close' ? told.at(-1)! : told[at]!);
        }
        await recorder.rows.flush();
        const { dataset } = recorder.writer;
        expect(await rowsOf(dataset!)).toEqual(told.map(rowOf));
        expect(dataset).toMatchObject({ rows: told.length, gaps: [] });
        recorder.stop();
      }),
      { numRuns: 25, seed: 5 },
    );
  }, 60_000);

  it('counts the rows of the dataset, not how often they were told', async () => {
    const recorder = new Recorder('candles');
    await recorder.start();
    for (const candle of [minute(0), minute(0, 1), minute(1)]) recorder.tell(candle);
    await recorder.rows.flush();
    recorder.tell(minute(1, 1));
    await recorder.rows.flush();
    expect(recorder.rows.count).toBe(2);
    expect(await rowsOf(recorder.writer.dataset!)).toEqual([minute(0, 1), minute(1, 1)].map(rowOf));
  });

  it('ends no gap with a revision of what lies before it', async () => {
    const recorder = new Recorder('candles');
    await recorder.start();
    for (const candle of [minute(0), minute(1)]) recorder.tell(candle);
    recorder.rows.lose('the candles between were not given');
    recorder.tell(minute(1, 1));
    recorder.tell(minute(5));
    await recorder.rows.flush();
    const gap = { from: minute(1).openTime, to: minute(5).openTime };
    expect(recorder.writer.dataset).toMatchObject({ rows: 3, gaps: [gap] });
  });

  it('leaves alone what an earlier recording has from before a gap', async () => {
    const recorder = new Recorder('candles');
    await recorder.start();
    recorder.tell(minute(0));
    recorder.rows.lose('the candles between were not given');
    recorder.tell(minute(5));
    await recorder.rows.flush();
    recorder.stop();
    await recorder.start();
    for (const at of [0, 1, 5]) recorder.tell(minute(at, 1));
    await recorder.rows.flush();
    expect(await rowsOf(recorder.writer.dataset!)).toEqual([minute(0), minute(5, 1)].map(rowOf));
    expect(recorder.writer.dataset!.gaps).toHaveLength(1);
  });
});

describe('recordTrades', () => {
  it('has a trade once that two recordings were told with stamps a little apart', async () => {
    const recorder = new Recorder('trades');
    const trades = venueTrades({ from: START, count: 4 });
    await recorder.start();
    for (const trade of trades.slice(0, 3)) recorder.print(trade);
    recorder.print(trades[2]!);
    await recorder.rows.flush();
    expect(recorder.rows.count).toBe(3);
    recorder.stop();
    await recorder.start();
    recorder.print({ ...trades[2]!, exchangeTime: trades[2]!.exchangeTime + 1 });
    recorder.print(trades[3]!);
    await recorder.rows.flush();
    const times = await timesOf(recorder.writer.dataset!);
    expect(times).toEqual(trades.map(({ exchangeTime }) => exchangeTime));
    expect(recorder.writer.dataset!.gaps).toEqual([]);
    expect(recorder.rows.count).toBe(1);
  });
});

describe('recordTrades, where rows are missing,', () => {
  it('admits those of its own stream alone', async () => {
    const recorder = new Recorder('trades');
    const [first, second, third] = venueTrades({ from: START, count: 3 });
    await recorder.start();
    recorder.print(first!);
    recorder.miss('depth');
    recorder.print(second!);
    recorder.miss('trade');
    recorder.print(third!);
    await recorder.rows.flush();
    const gap = { from: second!.exchangeTime, to: third!.exchangeTime, reason: 'a jump in trade' };
    expect(recorder.writer.dataset!.gaps).toEqual([gap]);
  });
});

/** A book so many seconds after the start. */
function bookAt(seconds: number): Depth {
  const time = START + 1_000 * seconds;
  return {
    ...{ market: 'btc_usdt', exchangeTime: time, receivedTime: time },
    ...{ bids: [[100, 1 + seconds]], asks: [[101, 2]] },
  };
}

describe('recordDepth', () => {
  const [, , third, fourth] = venueTrades({ from: START, count: 4 });

  it('has a gap go on behind trades, until the whole book that ends it', async () => {
    const recorder = new Recorder('depth');
    await recorder.start();
    recorder.connect(true);
    recorder.show(bookAt(1));
    recorder.connect(false);
    recorder.connect(true);
    recorder.print(third!);
    recorder.show(bookAt(9));
    await recorder.flush(START + 10_000);
    const gap = { from: START + 1_000, to: START + 9_000, reason: 'cable cut' };
    expect(recorder.writer.dataset!.gaps).toEqual([gap]);
  });

  it('has the time between two recordings missing once, where the first ended in a gap', async () => {
    const recorder = new Recorder('depth');
    await recorder.start();
    recorder.connect(true);
    recorder.show(bookAt(1));
    recorder.connect(false);
    recorder.print(fourth!);
    await recorder.flush(START + 5_000);
    recorder.stop();
    await recorder.start();
    recorder.show(bookAt(9));
    await recorder.flush(START + 10_000);
    expect(recorder.writer.dataset!.gaps).toEqual([
      { from: START + 1_000, to: START + 3_000, reason: 'cable cut' },
      { from: START + 3_000, to: START + 9_000, reason: 'nothing was recorded' },
    ]);
  });

  it('tells that nothing was recorded in the day in which the last row came', async () => {
    const recorder = new Recorder('depth');
    await recorder.start();
    recorder.show({ ...bookAt(0), exchangeTime: START - 100, receivedTime: START + 1 });
    await recorder.flush(START + 5_000);
    recorder.stop();
    await recorder.start();
    await recorder.flush(START + 10_000);
    const stamps = (await rowsOf(recorder.writer.dataset!)).map((row) => row.slice(0, 3));
    // The row of the gap has the last row's stamps and the next update's number.
    expect(stamps).toEqual([1, 1, 2].map((update) => [START - 100, START + 1, update]));
    const periods = recorder.writer.dataset!.parts.map(({ period }) => period);
    expect(new Set(periods)).toEqual(new Set(['2024-01-01']));
  });
});
