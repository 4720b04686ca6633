import { describe, expect, it } from 'vitest';
import { runBacktest } from '../../../../src/app/backtest/index.ts';
import { minuteSource, replayed, scriptedDeployment } from '../fixture.ts';
import { depthRows, tickDataset, tickRun } from '../tick-fixture.ts';

const WAITING = new URL('../waiting.ts', import.meta.url).pathname;
const RESTLESS = new URL('../restless.ts', import.meta.url).pathname;
const minutes = Array.from({ length: 8 }, (_, at) => ({ close: 100 + at }));
const AS_ON_A_PROMISE =
  'outside of the events of the run, as after a promise or a timer of the machine: when that ' +
  'happens depends on the machine, and the next run may differ.';

/** Waits two turns of the machine's loop at the start, then does `then`. */
function slow(then: string): string {
  return `import { defineStrategy, from, map, NEVER, startWith, switchMap, target, z } from '#strategy';
const turn = () => new Promise((resolve) => setImmediate(resolve));
export default defineStrategy({
  name: 'slow',
  params: z.strictObject({ wishes: z.unknown() }),
  run: ({ market, candles }) => from(turn().then(turn)).pipe(switchMap(() => ${then})),
});`;
}

/** What is said of such a strategy; the first row is read after `turns` turns of the machine's loop. */
async function saidOf(text: string, { turns }: { turns: number }): Promise<readonly string[]> {
  const deployment = scriptedDeployment({ script: {}, text });
  const source = minuteSource(minutes, 2);
  const chunks: typeof source.chunks = async function* (from, to) {
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    yield* source.chunks(from, to);
  };
  const { record } = await runBacktest({ deployment, sources: [{ ...source, chunks }] });
  return record.notes?.slice(0, record.decisive) ?? [];
}

describe('StrayWishes', () => {
  it('tells of a strategy that wishes on a promise, how often it did', async () => {
    const settings = { strategies: [{ use: WAITING }] };
    const { record, events } = await replayed({ minutes, script: {}, chunkRows: 2, settings });
    const wishes = events.filter(({ kind }) => kind === 'intent').length;
    expect(wishes).toBeGreaterThan(1);
    expect(record.notes?.slice(0, record.decisive)).toEqual([
      `Strategy waiting wished ${wishes} times ${AS_ON_A_PROMISE}`,
    ]);
  });

  it('tells of a wish that comes before the first row', async () => {
    const text = slow('NEVER.pipe(startWith(target(market, 1)))');
    expect(await saidOf(text, { turns: 5 })).toContainEqual(
      `Strategy scripted wished 1 time ${AS_ON_A_PROMISE}`,
    );
  });

  it('tells of a strategy that listens behind a promise, though it wishes at its events', async () => {
    const text = slow("candles('1min').pipe(map(() => target(market, 1)))");
    expect(await saidOf(text, { turns: 5 })).toEqual([
      `Strategy scripted began to listen to market data ${AS_ON_A_PROMISE}`,
    ]);
  });

  it('says nothing of one that wishes at its events, though rows come in chunks', async () => {
    const { record } = await replayed({ minutes, script: { 0: 1, 3: 2, 7: 0 }, chunkRows: 2 });
    expect(record.notes?.slice(0, record.decisive)).toEqual([]);
  });

  it('says nothing of one that wishes on the last book of a recording', async () => {
    const levels = [1, 2, 3, 4].flatMap((second) => [
      [second, 'snapshot', 'buy', 99 + second, 5] as const,
      [second, 'snapshot', 'sell', 101 + second, 5] as const,
    ]);
    const { root } = await tickDataset({ kind: 'depth', rows: depthRows(levels) });
    const strategies = [{ use: RESTLESS, params: { hears: 'depth' } }];
    const { record } = await runBacktest({
      deployment: tickRun({ root, kind: 'depth' }, { strategies }),
    });
    expect(record.counts.intents).toBeGreaterThan(0);
    expect(record.notes?.join('\n')).not.toContain('outside of the events');
  });
});
