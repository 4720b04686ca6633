import { describe, expect, it } from 'vitest';
import {
  type BacktestDeployment,
  type BacktestOptions,
  checkLookahead,
  checkWarmUp,
  loadBacktest,
  runBacktest,
  type Source,
} from '../../../../src/app/backtest/index.ts';
import type { Candle, TradingEvent } from '../../../../src/domain/index.ts';
import { DatasetWriter } from '../../../../src/history/index.ts';
import { HOUR_MS } from '../../../../src/kernel/index.ts';
import { scratchFolder } from '../../fixture.ts';
import { backtestFile, LIMITS, MINUTE, type Minute, minuteSource, START_MS } from '../fixture.ts';
import { depthRows, tickDataset, tickRun, tradeRows } from '../tick-fixture.ts';

const LISTENER = new URL('../listener.ts', import.meta.url).pathname;

/** Three hours whose closes tell their minute. */
const MINUTES: readonly Minute[] = Array.from({ length: 180 }, (_, at) => ({ close: 1_000 + at }));

interface Listening {
  /** Beginning of the period, minutes after that of the data. */
  readonly from: number;
  readonly intervals?: readonly string[];
  /** What it asks for when the first candle has closed. */
  readonly late?: string;
  readonly settings?: object;
  readonly backtest?: object;
  readonly run?: Partial<BacktestOptions>;
}

/** A deployment whose strategy says which candles it hears. */
function listening({ from, intervals = ['1min'], late, settings, backtest }: Listening) {
  const file = backtestFile({
    strategies: [{ use: LISTENER, name: 'listener', params: { intervals, late } }],
    risk: LIMITS,
    ...settings,
    backtest: {
      ...{ from: new Date(START_MS + from * MINUTE).toISOString(), balances: { usdt: '10000' } },
      ...backtest,
    },
  });
  return loadBacktest(file);
}

type Heard = Candle & { readonly kind: string };

/** What was heard of it: candles, and when as minutes after the beginning of the data. */
async function heardBy(told: Listening, sources: readonly Source[] = [minuteSource(MINUTES)]) {
  const events: TradingEvent[] = [];
  const onEvent = (event: TradingEvent): void => void events.push(event);
  const deployment = listening(told);
  const result = await runBacktest({ deployment, sources, onEvent, ...told.run });
  return { ...result, events, ...candlesIn(result.log) };
}

function candlesIn(log: readonly string[]) {
  const candles = log.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Heard);
  const times = log.map((line) => (Date.parse(line.slice(0, 24)) - START_MS) / MINUTE);
  const opened = candles.map(({ openTime }) => (openTime - START_MS) / MINUTE);
  return { candles, times, opened };
}

function numbers(first: number, end: number, step = 1): number[] {
  return Array.from({ length: (end - first) / step }, (_, at) => first + at * step);
}

describe('a backtest that begins in the middle of its candles', () => {
  it('gives the last closed ones at once, as live does, and then each as it closes', async () => {
    const settings = { data: { candleHistory: 60 } };
    const { candles, times, opened } = await heardBy({ from: 120, settings });
    expect(opened).toEqual(numbers(60, 180));
    expect(times).toEqual([...Array<number>(60).fill(120), ...numbers(121, 181)]);
    expect(candles[0]).toEqual({
      ...{ kind: 'candle', market: 'btc_usdt', interval: '1min', openTime: START_MS + HOUR_MS },
      ...{ open: 1_060, high: 1_060, low: 1_060, close: 1_060, volume: 1_000, closed: true },
      ...{ exchangeTime: START_MS + 61 * MINUTE, receivedTime: START_MS + 120 * MINUTE },
    });
  });

  it('gives as many of coarser ones, and the whole one in which it begins', async () => {
    const settings = { data: { candleHistory: 4 } };
    const { candles, times, opened } = await heardBy({ from: 122, intervals: ['15min'], settings });
    expect(opened).toEqual(numbers(60, 180, 15));
    expect(times).toEqual([122, 122, 122, 122, 135, 150, 165, 180]);
    // The two minutes before the beginning are in the candle.
    expect(candles[4]).toMatchObject({ open: 1_120, close: 1_134, volume: 15_000 });
  });

  it('gives a candle that is open when it begins as it closes, not at once', async () => {
    const settings = { data: { candleHistory: 2 } };
    const { times, opened } = await heardBy({ from: 120.5, settings });
    expect(opened.slice(0, 4)).toEqual([118, 119, 120, 121]);
    expect(times.slice(0, 4)).toEqual([120.5, 120.5, 121, 122]);
  });

  it('gives each stream its own, and those that there are', async () => {
    const told = { from: 10, intervals: ['5min', '1min'] };
    const { candles } = await heardBy({ ...told, backtest: { to: '2024-01-01T00:11' } });
    const brief = candles.map(({ interval, openTime }) => {
      return `${interval} ${(openTime - START_MS) / MINUTE}`;
    });
    expect(brief).toEqual(['5min 0', '5min 5', ...numbers(0, 11).map((at) => `1min ${at}`)]);
  });

  it('gives none where none are wanted, or none are there', async () => {
    const settings = { data: { candleHistory: 0 } };
    expect((await heardBy({ from: 120, settings })).opened).toEqual(numbers(120, 180));
    expect((await heardBy({ from: 0 })).opened).toEqual(numbers(0, 180));
  });

  it('gives one that is there twice once', async () => {
    const minutes = MINUTES.flatMap((minute, at) => {
      return at === 58 || at === 59
        ? [
            { ...minute, at },
            { ...minute, at },
          ]
        : [{ ...minute, at }];
    });
    const { opened } = await heardBy({ from: 60 }, [minuteSource(minutes)]);
    expect(opened.slice(0, 61)).toEqual(numbers(0, 61));
  });

  it('gives none to who asks later', async () => {
    const { opened } = await heardBy({ from: 120, intervals: ['30min'], late: '1min' });
    expect(opened.filter((minute) => minute % 30 !== 0).at(0)).toBe(151);
  });

  it('gives them ahead of the warm-up', async () => {
    const settings = { data: { candleHistory: 5 } };
    const { opened, times } = await heardBy({ from: 120, settings, backtest: { warmUpHours: 1 } });
    expect(opened).toEqual(numbers(55, 180));
    expect(times.slice(0, 6)).toEqual([60, 60, 60, 60, 60, 61]);
  });
});

describe('what is wished on known candles', () => {
  it('is passed over: nobody hears it, and nothing is ordered', async () => {
    const { events, record, candles } = await heardBy({ from: 177 });
    expect(candles).toHaveLength(180);
    const wishes = events.filter(({ kind }) => kind === 'intent');
    expect(wishes.map((event) => ('time' in event ? event.time : 0) - START_MS)).toEqual(
      [178, 179, 180].map((minute) => minute * MINUTE),
    );
    expect(record.refusals).toEqual([]);
    expect(record.counts).toMatchObject({ events: 3, intents: 3 });
    expect(record.period.from).toBe(START_MS + 177 * MINUTE);
    expect(record.coverage[0]).toMatchObject({ rows: 3, from: START_MS + 177 * MINUTE });
  });

  it('can be ended while they are told', async () => {
    const run = { onProgress: () => false };
    const { interrupted, candles, record } = await heardBy({ from: 120, run });
    expect([interrupted, candles.length, record.counts.events]).toEqual([true, 120, 0]);
  });
});

describe('the checks of a backtest with known candles', () => {
  it('find no look ahead in them', async () => {
    const deployment = listening({ from: 120 });
    const sources = [minuteSource(MINUTES)];
    const { prefixes, intents } = await checkLookahead({ deployment, sources, cuts: 2 });
    expect(intents).toBe(60);
    expect(prefixes.length).toBeGreaterThan(2);
    expect(prefixes.filter(({ parting }) => parting !== undefined)).toEqual([]);
  });
});

const SECONDS = numbers(0, 600, 7);
const PRINTS = SECONDS.map((second) => [second, 'buy', 100 + (second % 11)] as const);
const BOOK = [
  [0, 'snapshot', 'buy', 99, 5],
  [0, 'snapshot', 'sell', 101, 5],
] as const;
const TICKS = {
  trades: tradeRows(PRINTS),
  depth: depthRows([
    ...BOOK,
    ...PRINTS.map(([second, side, price]) => [second, 'trade', side, price, 2] as const),
  ]),
};

describe.each(['trades', 'depth'] as const)('a backtest of %s', (kind) => {
  /** The candles of the strategy where the period begins some seconds after the data. */
  const heardFrom = async (seconds: number, settings: object = {}) => {
    const { root } = await tickDataset({ kind, rows: TICKS[kind] });
    const strategy = { use: LISTENER, name: 'listener', params: { intervals: ['1min'] } };
    const deployment = tickRun({ root, kind }, { strategies: [strategy], ...settings });
    const fromMs = START_MS + seconds * 1_000;
    const period = { warmFromMs: fromMs, fromMs, toMs: START_MS + 600_000 };
    const { log } = await runBacktest({ deployment, period });
    return candlesIn(log);
  };

  it('builds candles of the prints, told when the next begins or its grace is over', async () => {
    const { candles, opened, times } = await heardFrom(0);
    expect(opened).toEqual(numbers(0, 9));
    // Prints come every 7 s: those of second 63, of 126 and so on, or the grace of 1 s.
    expect(times.slice(0, 3).map((minutes) => Math.round(minutes * 60))).toEqual([61, 121, 181]);
    expect(candles[0]).toMatchObject({ kind: 'candle', open: 100, close: 101, volume: 18 });
    for (const { openTime, volume, high } of candles) {
      const from = (openTime - START_MS) / 1_000;
      const inside = PRINTS.filter(([second]) => second >= from && second < from + 60);
      expect([volume, high]).toEqual([2 * inside.length, Math.max(...inside.map(([, , p]) => p))]);
    }
  });

  it('gives the known ones at once, and the same ones wherever it begins', async () => {
    const shape = ({ receivedTime: _, ...others }: Heard) => others;
    const whole = (await heardFrom(0)).candles.map(shape);
    for (const from of [60, 150, 187.5]) {
      const { candles, times } = await heardFrom(from);
      expect(candles.map(shape)).toEqual(whole);
      const known = Math.floor(from / 60);
      expect(times.filter((time) => time === from / 60)).toHaveLength(known);
    }
    const few = await heardFrom(187.5, { data: { candleHistory: 2 } });
    expect(few.candles.map(shape)).toEqual(whole.slice(1));
  });
});

/** A deployment with an average of half an hour, over three recorded hours of waves. */
async function crossing(from: number, settings: object = {}) {
  const root = scratchFolder();
  const key = { source: 'venue', market: 'btc_usdt', kind: 'candles', resolution: '1min' } as const;
  const writer = new DatasetWriter({ root, key, stepMs: MINUTE, name: 'venue', format: 'record' });
  const rows = numbers(0, 180).map((minute) => {
    const price = 1_000 + Math.round(100 * Math.sin(minute / 7));
    return [START_MS + minute * MINUTE, price, price, price, price, 1_000];
  });
  await writer.add({ rows });
  writer.close();
  const params = { amount: 0.1, interval: '1min', fast: 3, slow: 30 };
  const strategies = [{ use: 'ema-cross', params }];
  const backtest = { data: { btc_usdt: writer.dataset!.id }, dataFolder: root };
  return listening({ from, backtest, settings: { strategies, ...settings } });
}

describe('checkWarmUp', () => {
  const agreed = async (deployment: BacktestDeployment) => {
    const { runs } = await checkWarmUp({ deployment, starts: 1 });
    return runs.map(({ parting }) => parting === undefined);
  };

  it('gives each run as much history as the own one has', async () => {
    expect(await agreed(await crossing(120))).toEqual([true, true, true]);
    expect(await agreed(await crossing(120, { data: { candleHistory: 10 } }))).toEqual([
      ...[false, true, true],
    ]);
  });

  it('gives none where the data begin with the period', async () => {
    expect(await agreed(await crossing(0))).toEqual([false, true]);
  });
});
