import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkWarmUp,
  lengthsOf,
  warmUpPartingOf,
} from '../../../../src/app/backtest/checks/warm-up.ts';
import { importData } from '../../../../src/app/history/index.ts';
import { HOUR_MS } from '../../../../src/kernel/index.ts';
import { scratchFile, scratchFolder } from '../../fixture.ts';
import { checkedDeployment, tickDeployment, wish } from '../checks-fixture.ts';
import { START_MS } from '../fixture.ts';

/** A folder with a day of hours of two markets, of which the second begins that many hours later. */
async function listedLater(laterHours: number): Promise<string> {
  const root = scratchFolder();
  for (const [market, first] of [['btc_usdt', 0] as const, ['eth_usdt', laterHours] as const]) {
    const rows = Array.from({ length: 24 - first }, (_, at) => {
      return [START_MS + (first + at) * HOUR_MS, 100, 101, 99, 100, 5];
    });
    const file = join(root, `${market}.json`);
    writeFileSync(file, JSON.stringify(rows));
    await importData({ root, files: [file], market, source: 'mine' });
  }
  return root;
}

/** Three days of hours, of which all from the tenth to the fortieth are missing. */
async function withHole(): Promise<string> {
  const [root, file] = [scratchFolder(), join(scratchFolder(), 'btc_usdt.json')];
  const hours = Array.from({ length: 72 }, (_, hour) => hour).filter((h) => h < 10 || h >= 40);
  const rows = hours.map((hour) => [START_MS + hour * HOUR_MS, 100, 101, 99, 100 + (hour % 2), 5]);
  writeFileSync(file, JSON.stringify(rows));
  await importData({ root, files: [file], market: 'btc_usdt', source: 'mine' });
  return root;
}

describe('checkWarmUp, on data with a hole,', () => {
  const lengthsFor = async (warmUpHours: number) => {
    const deployment = checkedDeployment({
      strategies: [{ use: 'ema-cross', params: { amount: 0.01, interval: '1hour' } }],
      backtest: {
        ...{ from: '2024-01-03', to: '2024-01-04', warmUpHours, generate: {} },
        ...{ dataFolder: await withHole(), data: { btc_usdt: 'mine.btc_usdt.1hour' } },
      },
    });
    const { runs, repeated } = await checkWarmUp({ deployment, starts: 4 });
    return {
      runs: runs.map(({ warmUpMs }) => warmUpMs / HOUR_MS),
      repeated: repeated.map(({ warmUpMs, asMs }) => [warmUpMs, asMs].map((ms) => ms / HOUR_MS)),
    };
  };

  it('leaves out what begins on the same data as a shorter one, and says so', async () => {
    expect(await lengthsFor(0)).toEqual({ runs: [0, 3, 6, 12, 48], repeated: [[24, 12]] });
  });

  it('keeps the configured one', async () => {
    const repeated = [20, 24].map((hours) => [hours, 12]);
    expect(await lengthsFor(20)).toEqual({ runs: [0, 3, 6, 12, 20, 48], repeated });
  });
});

describe('checkWarmUp', () => {
  it('says from which warm-up on the wishes of an average stay the same', async () => {
    const report = await checkWarmUp({ deployment: checkedDeployment(), starts: 3 });
    const { runs, fromMs, toMs, settledMs } = report;
    expect(new Date(fromMs).toISOString()).toBe('2024-01-01T12:00:00.000Z');
    expect(new Date(toMs).toISOString()).toBe('2024-01-03T00:00:00.000Z');
    expect(runs.map(({ warmUpMs }) => warmUpMs / HOUR_MS)).toEqual([0, 1, 3, 6, 12]);
    expect(runs.map(({ isConfigured }) => isConfigured)).toEqual([true, ...Array(4).fill(false)]);
    expect(runs.at(-1)!.parting).toBeUndefined();
    expect(settledMs).toBeLessThanOrEqual(6 * HOUR_MS);
    expect(runs.every(({ figures }) => figures.length > 10)).toBe(true);
  });

  it('finds that a slow average needs more than it is given', async () => {
    const params = { amount: 0.01, interval: '5min', fast: 20, slow: 100 };
    const deployment = checkedDeployment({ strategies: [{ use: 'ema-cross', params }] });
    const { runs } = await checkWarmUp({ deployment, starts: 1 });
    expect(runs[0]).toMatchObject({ warmUpMs: 0, isConfigured: true });
    expect(runs[0]!.parting).toBeDefined();
  });

  it('begins later where no data lie ahead of the configured warm-up', async () => {
    const backtest = { warmUpHours: 6, from: '2024-01-02' };
    const { runs, fromMs } = await checkWarmUp({
      deployment: checkedDeployment({ backtest }),
      starts: 1,
    });
    expect(new Date(fromMs).toISOString()).toBe('2024-01-02T06:00:00.000Z');
    expect(runs.map(({ warmUpMs }) => warmUpMs / HOUR_MS)).toEqual([0, 6, 12]);
  });

  it.each([0, 2])(
    'warms up from where all markets have data, %i hours as configured',
    async (warmUpHours) => {
      const deployment = checkedDeployment({
        markets: ['btc_usdt', 'eth_usdt'],
        strategies: [{ use: 'ema-cross', params: { amount: 0.01, interval: '1hour' } }],
        backtest: {
          ...{ from: '2024-01-01', to: '2024-01-02', warmUpHours, generate: {} },
          dataFolder: await listedLater(16),
          data: { btc_usdt: 'mine.btc_usdt.1hour', eth_usdt: 'mine.eth_usdt.1hour' },
        },
      });
      const { runs, fromMs } = await checkWarmUp({ deployment, starts: 1 });
      expect(new Date(fromMs).toISOString()).toBe('2024-01-01T18:00:00.000Z');
      const lengths = runs.map(({ warmUpMs, isConfigured }) => [warmUpMs / HOUR_MS, isConfigured]);
      expect(lengths).toEqual([0, 1, 2].map((hours) => [hours, hours === warmUpHours]));
    },
  );

  it('refuses a configured warm-up that leaves nothing of the period', async () => {
    const deployment = checkedDeployment({ backtest: { warmUpHours: 500, from: '2024-01-02' } });
    await expect(checkWarmUp({ deployment })).rejects.toThrow(
      /: Cannot check a warm-up of 500 hours: no data lie ahead of it, and the period has 24\.0, a shorter warm-up or a longer period is wanted$/,
    );
  });

  it('takes a recorded latency from the same data for every length', async () => {
    const deployment = await tickDeployment({ recorded: 'shift' });
    // Behind the row that shifts all; the wishes of every fifth trade are the same from each start.
    const backtest = { ...deployment.backtest, from: '2024-01-01T00:12:40', warmUpHours: 0.1 };
    const { runs } = await checkWarmUp({ deployment: { ...deployment, backtest }, starts: 1 });
    expect(runs.map(({ intents }) => intents)).toEqual([8, 8, 8]);
    expect(runs.filter(({ parting }) => parting !== undefined)).toEqual([]);
  });

  it('can be ended between two runs', async () => {
    const report = await checkWarmUp({ deployment: checkedDeployment(), onProgress: () => false });
    expect(report).toMatchObject({ interrupted: true, runs: [], settledMs: undefined });
  });
});

describe('checkWarmUp, of who wishes at changes alone,', () => {
  it('calls no length too short where the first wish stands already', async () => {
    const use = scratchFile(
      'turns.ts',
      `import { defineStrategy, distinctUntilChanged, map, target, z } from '#strategy';
      export default defineStrategy({
        name: 'turns',
        params: z.strictObject({}),
        run: ({ market, candles }) =>
          candles('1hour').pipe(
            map(({ openTime }) => Math.floor(openTime / ${6 * HOUR_MS}) % 2),
            distinctUntilChanged(),
            map((up) => target(market, up ? 0.01 : 0)),
          ),
      });`,
    );
    const deployment = checkedDeployment({ strategies: [{ use }], backtest: { warmUpHours: 1 } });
    const { runs, settledMs } = await checkWarmUp({ deployment, starts: 1 });
    expect(runs.map(({ parting }) => parting)).toEqual(runs.map(() => undefined));
    expect(settledMs).toBe(0);
    expect(new Set(runs.map(({ intents }) => intents)).size).toBe(2);
  });

  it('finds that one which has to hear ten candles first needs them', async () => {
    const use = scratchFile(
      'tenth.ts',
      `import { defineStrategy, distinctUntilChanged, filter, map, target, z } from '#strategy';
      export default defineStrategy({
        name: 'tenth',
        params: z.strictObject({}),
        run: ({ market, candles }) =>
          candles('1hour').pipe(
            map((_, at) => at),
            filter((at) => at >= 9),
            map(() => 0.01),
            distinctUntilChanged(),
            map((position) => target(market, position)),
          ),
      });`,
    );
    const deployment = checkedDeployment({ strategies: [{ use }], backtest: { warmUpHours: 4 } });
    const { runs, settledMs } = await checkWarmUp({ deployment, starts: 1 });
    const configured = runs.find(({ isConfigured }) => isConfigured);
    expect(configured?.parting?.own).toMatchObject({ intent: { position: 0.01 } });
    expect(settledMs).toBeUndefined();
  });
});

describe('lengthsOf', () => {
  it('has none, the configured one, halves of the longest, and that', () => {
    const lengths = lengthsOf({ longestMs: 40 * HOUR_MS, configuredMs: 7 * HOUR_MS, starts: 2 });
    expect(lengths.map((ms) => ms / HOUR_MS)).toEqual([0, 7, 10, 20, 40]);
  });
});

describe('warmUpPartingOf', () => {
  it('finds no place in equal wishes', () => {
    expect(warmUpPartingOf([wish(1), wish(2)], [wish(1), wish(2)])).toBeUndefined();
  });

  it('finds the first wish that is another, earlier, or missing', () => {
    expect(warmUpPartingOf([wish(1, 'b')], [wish(1)])?.time).toBe(1);
    expect(warmUpPartingOf([wish(3)], [wish(2)])?.time).toBe(2);
    expect(warmUpPartingOf([wish(1)], [wish(1), wish(8)])).toMatchObject({
      time: 8,
      own: undefined,
    });
  });

  const target = (time: number, position: number): ReturnType<typeof wish> => {
    const intent = { kind: 'target', market: 'btc_usdt', position, slippage: 0 } as const;
    return { ...wish(time), intent };
  };
  const stands = (position: number, untilMs = 9) => ({
    ...{ dropped: new Map([['maker btc_usdt', target(0, position).intent]]), untilMs },
  });

  it('takes a first wish for the one that the longest warm-up made before, and that stands', () => {
    const own = [target(1, 5), target(3, 0)];
    expect(warmUpPartingOf(own, [target(3, 0)], stands(5))).toBeUndefined();
    expect(warmUpPartingOf(own, [target(3, 0)], stands(4))).toMatchObject({ time: 1 });
    expect(warmUpPartingOf(own, [target(3, 0)])).toMatchObject({ time: 1 });
    expect(warmUpPartingOf(own, [target(3, 0)], stands(5, 0))).toMatchObject({ time: 1 });
    const twice = [target(1, 5), target(2, 5), target(3, 0)];
    expect(warmUpPartingOf(twice, [target(3, 0)], stands(5))).toMatchObject({ time: 2 });
    const longest = [target(1, 5), target(3, 0)];
    expect(warmUpPartingOf([target(2, 5), target(3, 0)], longest)).toMatchObject({ time: 1 });
  });

  it('does so beside a wish of another strategy at that moment', () => {
    const other = { ...target(1, 7), strategy: 'other' };
    expect(warmUpPartingOf([target(1, 5), other], [other], stands(5))).toBeUndefined();
    const changed = [target(1, 4), other];
    expect(warmUpPartingOf([target(1, 5), other], changed, stands(5))).toMatchObject({ time: 1 });
    expect(warmUpPartingOf([target(1, 5)], [target(1, 4)], stands(5))).toMatchObject({ time: 1 });
  });
});
