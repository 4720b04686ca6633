import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/kernel/index.ts';
import { openLatency } from '../../../src/sim/models/latency.ts';
import {
  feedLatencySchema,
  type OrderLatencySettings,
  orderLatencySchema,
} from '../../../src/sim/models/latency-config.ts';
import { DelayLine } from '../../../src/sim/models/latency-line.ts';
import { StampSurvey } from '../../../src/sim/models/latency-recorded.ts';
import { readLatencySamples } from '../../../src/sim/models/latency-samples.ts';

const SUBJECT = 'A request';

function latencyFixture(settings: unknown, samples?: string) {
  const read = samples === undefined ? undefined : readLatencySamples(samples, 'measured.csv');
  const parsed: OrderLatencySettings = orderLatencySchema.parse(settings);
  const random = seededRandom('latency');
  const { next, confession } = openLatency(parsed, { subject: SUBJECT, random, samples: read });
  const draws = (count: number) => Array.from({ length: count }, (_, at) => next(at));
  return { next, confession, draws };
}

describe('openLatency', () => {
  test.each([5, { constantMs: 5 }])('%j is the same each time', (settings) => {
    const { draws, confession } = latencyFixture(settings);
    expect(draws(3)).toEqual([5, 5, 5]);
    expect(confession).toBe('A request takes 5 ms, always.');
  });

  test('lognormal has its median, its spread and its least', () => {
    const lognormal = { medianMs: 20, sigma: 0.5, leastMs: 10 };
    const draws = latencyFixture({ lognormal })
      .draws(10_001)
      .sort((a, b) => a - b);
    expect(draws[0]).toBe(10);
    expect(draws[5_000]).toBeGreaterThan(19);
    expect(draws[5_000]).toBeLessThan(21);
    // One deviation up: exp(0.5) medians.
    expect(draws[8_413]! / 20).toBeCloseTo(Math.exp(0.5), 1);
  });

  test('samples are drawn, all of them and nothing else, alike for the same seed', () => {
    const settings = { samplesMs: [1, 2, 4] };
    const draws = latencyFixture(settings).draws(200);
    expect(new Set(draws)).toEqual(new Set([1, 2, 4]));
    expect(latencyFixture(settings).draws(200)).toEqual(draws);
  });

  test('measured with times follows them on straight lines', () => {
    const { next } = latencyFixture({ measured: 'x' }, 'time,ms\n100,10\n200,20\n400,10\n');
    expect([0, 100, 150, 200, 300, 999].map(next)).toEqual([10, 10, 15, 20, 15, 10]);
    expect(next(150)).toBe(15);
  });

  test('measured without times is drawn', () => {
    const { draws, confession } = latencyFixture({ measured: 'x' }, '3\n7\n');
    expect(new Set(draws(100))).toEqual(new Set([3, 7]));
    expect(confession).toContain('2 measured ones');
  });

  test('measured without its samples is refused', () => {
    expect(() => latencyFixture({ measured: 'x' })).toThrow('its samples are missing');
  });

  test.each([-1, { constantMs: -1 }, { samplesMs: [] }, { lognormal: {} }, {}])(
    'the settings %j are refused',
    (settings) => {
      expect(orderLatencySchema.safeParse(settings).success).toBe(false);
    },
  );

  test('recorded is for the feed alone', () => {
    const recorded = { recorded: 'shift' };
    expect(orderLatencySchema.safeParse(recorded).success).toBe(false);
    expect(feedLatencySchema.parse(recorded)).toEqual({ recorded: 'shift', leastMs: 1 });
  });
});

describe('readLatencySamples', () => {
  test.each([
    ['', 'it holds no latency'],
    ['3\nx', 'x:2: it is "x", numbers are wanted'],
    ['3\n-1', 'x:2: it is -1 ms, a latency of at least 0 is wanted'],
    ['1,2,3', 'x:1: it is "1,2,3", numbers are wanted'],
    ['5,1\n5,1', 'x:2: its time 5 is not after the one before'],
    ['5,1\n1', 'x:2: it has a time where others have none'],
  ])('%j is refused', (text, message) => {
    expect(() => readLatencySamples(text, 'x')).toThrow(message);
  });
});

function stamps(latencies: readonly number[]) {
  const time = Float64Array.from(latencies, (_, at) => 1_000 + at);
  return { time, received: Float64Array.from(latencies, (latency, at) => 1_000 + at + latency) };
}

describe('StampSurvey', () => {
  function surveyOf(...chunks: (readonly number[])[]) {
    const survey = new StampSurvey();
    for (const chunk of chunks) survey.observe(stamps(chunk));
    return survey;
  }

  test('takes sane stamps as they are', () => {
    const latency = surveyOf([3, 5], [2.5]).latency({ negative: 'refuse', leastMs: 1 });
    expect(latency.of(stamps([3, 5]), 1)).toBe(5);
    expect(latency.confession).toContain('from 2.5 to 5 ms');
  });

  test('refuses negative latencies and says by how much', () => {
    const survey = surveyOf([-1_250, 4]);
    expect(() => survey.latency({ negative: 'refuse', leastMs: 1 })).toThrow(
      '1 of 2 rows were received before they happened, the first by 1250 ms',
    );
  });

  test('shifts all of them where told to, and says so', () => {
    const latency = surveyOf([-1_250, -1_240]).latency({ negative: 'shift', leastMs: 2 });
    expect(latency.of(stamps([-1_250, -1_240]), 1)).toBe(12);
    expect(latency.confession).toContain('1252 ms are added');
    expect(latency.confession).toContain('an assumption');
  });

  test('takes rows without a stamp for as slow as the one before, and the first for the next', () => {
    const latencies = [Number.NaN, Number.NaN, 30, Number.NaN, 70, Number.NaN];
    const latency = surveyOf(latencies).latency({ negative: 'refuse', leastMs: 1 });
    const rows = stamps(latencies);
    expect(latencies.map((_, at) => latency.of(rows, at))).toEqual([30, 30, 30, 30, 70, 70]);
    expect(latency.confession).toContain(
      '4 rows without a stamp take as long as the one before, or the first that has one.',
    );
  });

  test('refuses rows without such stamps', () => {
    const survey = surveyOf([Number.NaN]);
    expect(() => survey.latency({ negative: 'shift', leastMs: 1 })).toThrow('none of its 1 rows');
  });
});

const run = fc.record({
  stepMs: fc.integer({ min: 0, max: 5 }),
  latencyMs: fc.integer({ min: 0, max: 40 }),
  length: fc.integer({ min: 1, max: 3 }),
  reads: fc.integer({ min: 0, max: 3 }),
});
const chunk = fc.array(run, { minLength: 1, maxLength: 40 });

type Run = typeof run extends fc.Arbitrary<infer Made> ? Made : never;
type Columns = { readonly time: Float64Array; readonly price: Float64Array };

/** A line, and beside it the list that it is to be like. */
function lineFixture() {
  let now = 0;
  let rows = 0;
  let latencyMs = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  const line = new DelayLine<{ time: Float64Array; price: Float64Array }>({
    columns: ['time', 'price'],
    latencyMs: () => latencyMs,
  });
  const naive: { dueMs: number; time: number; prices: number[] }[] = [];
  const push = ({ stepMs, length, ...drawn }: Run, columns: Columns): void => {
    now += stepMs;
    latencyMs = drawn.latencyMs;
    const isNew = rows === 0 || stepMs > 0;
    if (isNew) lastMs = Math.max(lastMs, now + latencyMs);
    const prices = Array.from({ length }, () => rows++);
    naive.push({ dueMs: lastMs, time: now, prices });
    const at = columns.price.indexOf(-1);
    columns.price.set(prices, at);
    columns.time.fill(now, at);
    line.push(columns, { at, end: at + length });
  };
  const readNext = () => {
    const { at, end } = line.run;
    const [time, prices] = [line.rows.time[at], [...line.rows.price.subarray(at, end)]];
    return { dueMs: line.nextMs, time, prices };
  };
  return { line, naive, push, readNext };
}

describe('DelayLine', () => {
  test('hands runs on in their order, none before its time, as a list does', () => {
    fc.assert(
      fc.property(fc.array(chunk, { minLength: 1, maxLength: 60 }), (chunks) => {
        const { line, naive, push, readNext } = lineFixture();
        const columns = { time: new Float64Array(121), price: new Float64Array(121) };
        for (const runs of chunks) {
          line.keep();
          columns.price.fill(-1);
          for (const next of runs) {
            push(next, columns);
            for (let read = 0; read < next.reads && naive.length > 0; read++) {
              expect(readNext()).toEqual(naive.shift());
              line.shift();
            }
            expect(line.size).toBe(naive.length);
          }
        }
        expect(line.nextMs).toBe(naive[0]?.dueMs ?? Number.POSITIVE_INFINITY);
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  test('grows with what is under way, wherever in it the next run lies', () => {
    const length = 5_000;
    const { line, naive, push, readNext } = lineFixture();
    const columns = { time: new Float64Array(length), price: new Float64Array(length).fill(-1) };
    for (let at = 0; at < length; at++) {
      push({ stepMs: 1, length: 1, latencyMs: 10_000, reads: 0 }, columns);
      if (at % 2 === 1 || at > 4_000) continue;
      expect(readNext()).toEqual(naive.shift());
      line.shift();
    }
    for (const expected of naive) {
      expect(readNext()).toEqual(expected);
      line.shift();
    }
    expect(line.size).toBe(0);
  });

  test('asks for one latency for all rows of one time', () => {
    const asked: number[] = [];
    const line = new DelayLine<{ time: Float64Array }>({
      columns: ['time'],
      latencyMs: (_, at) => asked.push(at),
    });
    const rows = { time: Float64Array.of(5, 5, 5, 6) };
    for (let at = 0; at < 4; at++) line.push(rows, { at, end: at + 1 });
    expect(asked).toEqual([0, 3]);
  });
});
