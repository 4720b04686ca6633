import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { LeanHeap } from '../../../../src/app/backtest/output/lean-heap.ts';

const room = new URL('../../../../src/app/backtest/output/lean-heap.ts', import.meta.url);

/** What the old objects take: at first, with so much garbage among them, and after a check. */
const SCRIPT = `
import { getHeapSpaceStatistics } from 'node:v8';
import { LeanHeap } from ${JSON.stringify(room)};
const old = () => getHeapSpaceStatistics().find((one) => one.space_name === 'old_space').space_used_size;
const heap = new LeanHeap();
heap.check();
const told = [old()];
const gather = (megabytes) => Array.from({ length: megabytes * 2 ** 14 }, (_, at) => ({ at, half: at / 2 }));
let kept = gather(Number(process.argv[1]));
let newest = gather(64);
newest = undefined;
if (process.argv[2] === 'dropped') kept = undefined;
told.push(old());
heap.check();
told.push(old());
console.log(JSON.stringify([...told, kept?.length]));
`;

/** Megabytes of old objects: at first, before a check and after it. */
function heapWith(megabytes: number, fate: 'kept' | 'dropped'): readonly number[] {
  const args = ['--input-type=module', '-e', SCRIPT, String(megabytes), fate];
  const told = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const [first, before, after] = JSON.parse(told) as [number, number, number];
  return [first, before, after].map((bytes) => bytes / 2 ** 20);
}

describe('LeanHeap.check', () => {
  it('collects old objects that nobody holds any more', () => {
    const [first, before, after] = heapWith(32, 'dropped');
    expect(before! - first!).toBeGreaterThan(16);
    expect(after! - first!).toBeLessThan(4);
  });

  it('leaves what is held', () => {
    const [first, , after] = heapWith(32, 'kept');
    expect(after! - first!).toBeGreaterThan(16);
  });
});

const MEGABYTE = 2 ** 20;

interface EngineOptions {
  readonly roundMs: number;
  readonly collectMs: number;
  /** Bytes of the room for new objects. */
  readonly young?: number;
}

/** An engine of which 10 megabytes live, and how often each of some rounds was collected. */
function makeEngine({ roundMs, collectMs, young = 32 * MEGABYTE }: EngineOptions) {
  const engine = { young, old: 10 * MEGABYTE, nowMs: 0, collections: 0, flags: [] as string[] };
  const heap = new LeanHeap({
    collect: () => {
      engine.old = 10 * MEGABYTE;
      engine.nowMs += collectMs;
      engine.collections++;
    },
    bytes: () => ({ young: engine.young, old: engine.old }),
    setFlag: (flag) => engine.flags.push(flag),
    nowMs: () => engine.nowMs,
  });
  const round = (megabytes: number, look = () => heap.check()): number => {
    const before = engine.collections;
    engine.old += megabytes * MEGABYTE;
    engine.nowMs += roundMs;
    look();
    return engine.collections - before;
  };
  const flagsAtFirst = [...engine.flags];
  heap.check();
  return { heap, engine, round, flagsAtFirst };
}

describe('LeanHeap, of what collecting costs,', () => {
  it('collects each 8 megabytes where they come so slowly that it takes a 50th of the time', () => {
    const { round, engine } = makeEngine({ roundMs: 3_000, collectMs: 60 });
    expect([9, 9, 9, 7].map((megabytes) => round(megabytes))).toEqual([1, 1, 1, 0]);
    expect(engine.flags).toEqual(['--heap-growing-percent=30', '--semi-space-growth-factor=1']);
  });

  it('collects each 24 megabytes where it would take more of the time', () => {
    const { round } = makeEngine({ roundMs: 1_000, collectMs: 50 });
    expect([9, 16, 9, 16].map((megabytes) => round(megabytes))).toEqual([0, 1, 0, 1]);
  });

  it('collects each 24 megabytes however soon they come, where that is cheap', () => {
    const { round } = makeEngine({ roundMs: 10, collectMs: 1 });
    expect(Array.from({ length: 300 }, () => round(25))).toEqual(Array(300).fill(1));
  });

  it('lets twice the garbage gather where it takes more than a tenth of the time', () => {
    const { round } = makeEngine({ roundMs: 2_000, collectMs: 600 });
    expect([25, 25, 49, 49, 97].map((megabytes) => round(megabytes))).toEqual([1, 0, 1, 0, 1]);
  });

  it('judges nothing by the first quarter of a second that it takes', () => {
    const { round } = makeEngine({ roundMs: 10, collectMs: 60 });
    expect([25, 25, 25, 25, 25, 25].map((megabytes) => round(megabytes))).toEqual([
      1, 1, 1, 1, 1, 0,
    ]);
  });

  it('leaves the engine alone where that is not enough', () => {
    const { round, engine } = makeEngine({ roundMs: 1, collectMs: 300 });
    for (let count = 0; count < 9; count++) round(1_000);
    const free = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'];
    expect(engine.flags.slice(2)).toEqual(free);
    expect([round(95), round(2)]).toEqual([0, 1]);
  });

  it('stops the growth of the young room once it has 16 megabytes, be it from the first', () => {
    const noGrowth = '--semi-space-growth-factor=1';
    const { heap, engine } = makeEngine({ roundMs: 1, collectMs: 1, young: 8 * MEGABYTE });
    expect(engine.flags).not.toContain(noGrowth);
    engine.young = 16 * MEGABYTE;
    for (let count = 0; count < 2; count++) heap.check();
    expect(engine.flags.filter((flag) => flag === noGrowth)).toHaveLength(1);
    expect(makeEngine({ roundMs: 1, collectMs: 1 }).flagsAtFirst).toContain(noGrowth);
  });
});

describe('LeanHeap.watching', () => {
  const eachOf = ({ heap, round }: ReturnType<typeof makeEngine>, megabytes: readonly number[]) => {
    const look = (): void => expect([...heap.watching([1, 2, 3], 2)]).toEqual([1, 2, 3]);
    return megabytes.map((count) => round(count, look));
  };

  it('collects what the play left, and each 12 megabytes, while a run is written', () => {
    const engine = makeEngine({ roundMs: 1_200, collectMs: 40 });
    expect(eachOf(engine, [1, 11, 2, 13, 13])).toEqual([1, 0, 1, 1, 1]);
  });

  it('collects nothing where that took more than a 20th of a run so far', () => {
    const engine = makeEngine({ roundMs: 250, collectMs: 70 });
    expect(eachOf(engine, [100, 100, 100, 100, 100, 100])).toEqual([0, 0, 0, 1, 0, 0]);
  });
});
