import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLookahead, cutsOf } from '../../../../src/app/backtest/checks/lookahead.ts';
import { partingOf } from '../../../../src/app/backtest/checks/lookahead-compare.ts';
import type { TradingEvent } from '../../../../src/domain/index.ts';
import { requestEvent } from '../../../storage/events.ts';
import { checkedDeployment, leakySource, tickDeployment, wish } from '../checks-fixture.ts';

const READER = new URL('../volume-reader.ts', import.meta.url).pathname;
const PEEKER = new URL('../peeker.ts', import.meta.url).pathname;

function stopping(time: number): TradingEvent {
  return { kind: 'run', time, status: 'stopping', reason: 'over' };
}

describe('checkLookahead', () => {
  it('finds nothing in a strategy that knows the past alone', async () => {
    const report = await checkLookahead({ deployment: checkedDeployment(), cuts: 3 });
    expect(report.intents).toBeGreaterThan(20);
    expect(report.prefixes.length).toBeGreaterThanOrEqual(5);
    expect(report.prefixes.filter(({ parting }) => parting !== undefined)).toEqual([]);
    expect(report.prefixes.at(-1)!.agreed).toBeGreaterThan(10);
  });

  it.each([
    ['no time', 0],
    ['1.5 s', 1_500],
    ['as long as all of the recording says', { recorded: 'shift' }],
  ])('finds nothing where trades are under way for %s', async (_what, feed) => {
    const report = await checkLookahead({ deployment: await tickDeployment(feed), cuts: 4 });
    expect(report.intents).toBeGreaterThan(100);
    expect(report.prefixes).toHaveLength(8);
    expect(report.prefixes.filter(({ parting }) => parting !== undefined)).toEqual([]);
    expect(report.prefixes.at(-1)!.agreed).toBeGreaterThan(80);
  });

  it('finds nothing where candles are asked for and orders wait for the open behind a cut', async () => {
    const maker = { amount: 0.01, positionMax: 0.05, spread: 0.0003 };
    const deployment = checkedDeployment({
      strategies: [{ use: 'market-maker', params: maker }],
      data: { feeds: false, candles: 'venue' },
      backtest: {
        ...{ to: '2024-01-01T06:00', balances: { usdt: '20000', btc: '1' } },
        fill: { model: 'candles', at: 'nextOpen' },
        latency: { order: { samplesMs: [1, 50, 2_000] }, answer: 40 },
        simulate: { polls: true },
      },
    });
    const report = await checkLookahead({ deployment, cuts: 4 });
    expect(report.prefixes.at(-1)!.agreed).toBeGreaterThan(80);
    expect(report.prefixes.filter(({ parting }) => parting !== undefined)).toEqual([]);
  });

  it('finds a strategy that is shown a candle before it is closed', async () => {
    const deployment = checkedDeployment({ strategies: [{ use: READER, name: 'reader' }] });
    const report = await checkLookahead({ deployment, sources: [leakySource()], cuts: 6 });
    const found = report.prefixes.filter(({ parting }) => parting !== undefined);
    expect(found.length).toBeGreaterThan(2);
    for (const { cutMs, parting } of found) {
      const { whole, prefix } = parting!;
      const intents = [whole, prefix].filter((event) => event?.kind === 'intent');
      expect(Math.min(...intents.map(({ time }) => time))).toBe(cutMs);
    }
  });

  it('finds a strategy that remembers what an earlier run has shown it', async () => {
    const deployment = checkedDeployment({ strategies: [{ use: PEEKER, name: 'peeker' }] });
    const { prefixes } = await checkLookahead({ deployment, cuts: 2 });
    const found = prefixes.filter(({ parting }) => parting !== undefined);
    expect(found).toHaveLength(prefixes.length);
    expect(found[0]!.parting!.prefix).toMatchObject({ kind: 'intent', strategy: 'peeker' });
  });

  it('can be ended between two runs', async () => {
    const onProgress = () => false;
    const report = await checkLookahead({ deployment: checkedDeployment(), onProgress });
    expect(report).toMatchObject({ interrupted: true, prefixes: [] });
  });
});

describe('partingOf', () => {
  const whole = [wish(1), requestEvent(1), wish(5), requestEvent(6), wish(9)];

  it('takes a beginning for the same, whatever the next row set off', () => {
    expect(partingOf(whole, [...whole.slice(0, 3), stopping(5)])).toEqual({
      agreed: 2,
      parting: undefined,
    });
  });

  it('finds a wish that the whole run made at a time that the part had reached', () => {
    const { parting } = partingOf(whole, [...whole.slice(0, 2), stopping(5)]);
    expect(parting).toEqual({ whole: wish(5), prefix: undefined });
  });

  it('compares nothing from the time on at which rows behind the cut may arrive', () => {
    const prefix = [whole[0]!, whole[1]!, wish(5, 'b'), stopping(7)];
    expect(partingOf(whole, prefix, { untilMs: 5 })).toEqual({ agreed: 1, parting: undefined });
    expect(partingOf(whole, prefix, { untilMs: 6 }).parting).toBeDefined();
  });

  it('leaves it to the whole run what rows behind the cut set off ahead of a late wish', () => {
    const prefix = [...whole.slice(0, 3), wish(9), stopping(10)];
    expect(partingOf(whole, prefix, { cutMs: 5 })).toEqual({ agreed: 2, parting: undefined });
    expect(partingOf(whole, prefix, { cutMs: 6 }).parting).toBeDefined();
    expect(partingOf(whole, [wish(1), wish(2)], { cutMs: 0 }).parting).toBeUndefined();
    expect(partingOf([wish(1), wish(3)], [wish(1), wish(2)], { cutMs: 0 }).parting).toBeDefined();
  });

  it('finds the first wish that is another', () => {
    const { agreed, parting } = partingOf(whole, [whole[0]!, whole[1]!, wish(5, 'b')]);
    expect({ agreed, parting }).toEqual({
      agreed: 1,
      parting: { whole: wish(5), prefix: wish(5, 'b') },
    });
  });

  it('finds a wish that only the part made', () => {
    for (const cutMs of [0, 2]) {
      const { parting } = partingOf([wish(1)], [wish(1), wish(2)], { cutMs });
      expect(parting).toEqual({ whole: undefined, prefix: wish(2) });
    }
  });
});

describe('cutsOf', () => {
  it('keeps inside of the period, rising, on whole rows', () => {
    const times = fc
      .array(fc.nat(100_000), { maxLength: 30 })
      .map((all) => all.sort((a, b) => a - b));
    const check = fc.property(times, fc.integer({ min: 1, max: 20 }), (wishTimes, count) => {
      const cuts = cutsOf(
        { fromMs: 3_000, toMs: 90_500 },
        {
          ...{ wishTimes, count, stepMs: 500, hasTicks: false },
        },
      );
      expect(cuts.every((cut) => cut > 3_000 && cut < 90_500 && cut % 500 === 0)).toBe(true);
      expect(cuts).toEqual([...new Set(cuts)].sort((a, b) => a - b));
      expect(cuts.length).toBeLessThanOrEqual(2 * count);
    });
    fc.assert(check, { seed: 3, numRuns: 100 });
  });

  it('cuts right behind wishes', () => {
    const period = { fromMs: 0, toMs: 60_000 };
    const options = { wishTimes: [7_000, 20_000], count: 1, stepMs: 1_000 };
    expect(cutsOf(period, { ...options, hasTicks: false })).toEqual([20_000, 30_000]);
    expect(cutsOf(period, { ...options, hasTicks: true })).toEqual([21_000, 30_000]);
  });
});
