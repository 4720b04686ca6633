import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NumberSpool } from '../../../../src/app/backtest/record/number-spool.ts';
import { scratchFolder } from '../../fixture.ts';

const newPath = () => join(scratchFolder(), 'numbers.spool');

describe('NumberSpool', () => {
  it.each(['memory', 'a file'])('gives back from %s what was put away, in any order', (place) => {
    const spool = new NumberSpool(place === 'memory' ? undefined : newPath());
    const whole = new Float64Array(9);
    const block = whole.subarray(3, 6);
    for (let number = 0; number < 5; number++) {
      block.set([number, Number.NaN, -number / 7]);
      spool.put(block);
    }
    expect(spool.length).toBe(5);
    const into = new Float64Array(5).fill(7);
    for (const number of [4, 0, 2, 2]) {
      spool.read(number, into.subarray(1, 4));
      expect(into).toEqual(Float64Array.of(7, number, Number.NaN, -number / 7, 7));
    }
    spool.close();
  });

  it.each(['memory', 'a file'])('gives back from %s blocks of several lengths', (place) => {
    const spool = new NumberSpool(place === 'memory' ? undefined : newPath());
    const blocks = [[1, 2, 3], [4], [], [5, 6]].map((block) => Float64Array.from(block));
    for (const block of blocks) spool.put(block);
    const into = new Float64Array(3);
    for (const number of [3, 0, 2, 1]) expect(spool.read(number, into)).toEqual(blocks[number]);
    spool.close();
  });

  it('takes its file away when it is closed', () => {
    const path = newPath();
    const spool = new NumberSpool(path);
    spool.put(Float64Array.of(1));
    expect(existsSync(path)).toBe(true);
    spool.close();
    expect(existsSync(path)).toBe(false);
  });
});
