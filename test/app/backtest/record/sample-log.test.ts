import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ByteSpool } from '../../../../src/app/backtest/record/byte-spool.ts';
import { type Holdings, SampleLog } from '../../../../src/app/backtest/record/sample-log.ts';
import { scratchFolder } from '../../fixture.ts';

/** Two blocks and a part of the third. */
const COUNT = 2_500;

type Sample = Holdings & { readonly time: number; readonly prices: readonly number[] };

/** A sample of two markets, the second of which has no price at first. */
function sampleAt(time: number, money = time / 7): Sample {
  const second = time < 1_500 ? Number.NaN : time / 3;
  return {
    ...{ time, money, prices: [time + 0.5, second] },
    ...{ amounts: [-time, 1], positions: [0, time * time] },
  };
}

/** What the log has, sample by sample. */
function samplesOf(log: SampleLog): Sample[] {
  return Array.from(log, ({ time, money, prices, amounts, positions }) =>
    Array.from(time, (at, row) => ({
      ...{ time: at, money: money[row]! },
      prices: prices.map((column) => column[row]!),
      amounts: amounts.map((column) => column[row]!),
      positions: positions.map((column) => column[row]!),
    })),
  ).flat();
}

function makeLog() {
  const spool = new ByteSpool(join(scratchFolder(), 'samples.spool'));
  const cells = [{ last: Number.NaN }, { last: Number.NaN }];
  const log = new SampleLog(spool, cells);
  const add = (sample: Sample) => {
    for (const [market, price] of sample.prices.entries()) cells[market]!.last = price;
    log.hold(sample);
    log.add(sample.time);
  };
  return { spool, log, cells, add };
}

function filledLog(count = COUNT) {
  const made = makeLog();
  const samples = Array.from({ length: count }, (_, at) => sampleAt(at));
  for (const sample of samples) made.add(sample);
  return { ...made, samples };
}

describe('SampleLog', () => {
  it('gives every sample in its order, as often as it is asked, and keeps the newest alone', () => {
    const { log, samples, spool } = filledLog();
    for (let round = 0; round < 2; round++) expect(samplesOf(log)).toEqual(samples);
    expect(spool.length).toBe(2);
    spool.close();
  });

  it('has as many amounts as are told, however many markets there are', () => {
    const log = new SampleLog(new ByteSpool(), [{ last: 7 }], 3);
    const held = { money: 1, amounts: [2, 3, 4], positions: [5] };
    log.hold(held);
    for (let time = 0; time < COUNT; time++) log.add(time);
    const samples = samplesOf(log);
    expect(samples).toHaveLength(COUNT);
    for (const at of [0, 1_024, COUNT - 1]) {
      expect(samples[at]).toEqual({ ...held, time: at, prices: [7] });
    }
  });

  it.each([1, 1_024, 1_025, COUNT])(
    'puts a sample of the time of the last in its place, of %i',
    (count) => {
      const { add, log, samples, spool } = filledLog(count);
      const anew = sampleAt(count - 1, 42);
      add(anew);
      expect(samplesOf(log)).toEqual([...samples.slice(0, -1), anew]);
      spool.close();
    },
  );

  it('has what is held in every sample until other is, whatever is read in between', () => {
    const { cells, log, spool } = makeLog();
    const changes = [0, 3, 1_023, 1_024, 1_500];
    const expected: number[] = [];
    for (let time = 0; time < COUNT; time++) {
      if (changes.includes(time)) log.hold({ money: time, amounts: [1, 2], positions: [3, time] });
      cells[0]!.last = time;
      log.add(time);
      expected.push(changes.findLast((change) => change <= time)!);
      if (time === 1_200) expect(samplesOf(log).map(({ money }) => money)).toEqual(expected);
    }
    const samples = samplesOf(log);
    expect(samples.map(({ money }) => money)).toEqual(expected);
    expect(samples.map(({ positions }) => positions[1])).toEqual(expected);
    expect(samples.map(({ prices }) => prices[0])).toEqual(samples.map(({ time }) => time));
    spool.close();
  });

  it('has nothing of a run that was not sampled', () => {
    expect([...new SampleLog(new ByteSpool(), [])]).toEqual([]);
  });
});
