import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const room = new URL('../../../src/app/backtest/lean-heap.ts', import.meta.url);

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
