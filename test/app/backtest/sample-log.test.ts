import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NumberSpool } from '../../../src/app/backtest/number-spool.ts';
import { type Sample, SampleLog } from '../../../src/app/backtest/sample-log.ts';
import { scratchFolder } from '../fixture.ts';

/** Two blocks and a part of the third. */
const COUNT = 2_500;

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

function filledLog(count = COUNT) {
  const spool = new NumberSpool(join(scratchFolder(), 'samples.spool'));
  const log = new SampleLog(spool);
  const samples = Array.from({ length: count }, (_, at) => sampleAt(at));
  for (const sample of samples) log.add(sample);
  return { spool, log, samples };
}

describe('SampleLog', () => {
  it('gives every sample in its order, as often as it is asked, and keeps the newest alone', () => {
    const { log, samples, spool } = filledLog();
    for (let round = 0; round < 2; round++) expect(samplesOf(log)).toEqual(samples);
    expect(spool.length).toBe(2);
    spool.close();
  });

  it.each([1, 1_024, 1_025, COUNT])(
    'puts a sample of the time of the last in its place, of %i',
    (count) => {
      const { log, samples, spool } = filledLog(count);
      const anew = sampleAt(count - 1, 42);
      log.add(anew);
      expect(samplesOf(log)).toEqual([...samples.slice(0, -1), anew]);
      spool.close();
    },
  );

  it('has nothing of a run that was not sampled', () => {
    expect([...new SampleLog(new NumberSpool())]).toEqual([]);
  });
});
