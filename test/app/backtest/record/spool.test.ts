import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Spool } from '../../../../src/app/backtest/record/spool.ts';
import { scratchFolder } from '../../fixture.ts';

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof import('node:fs')>();
  const writeSync = (...args: Parameters<typeof fs.writeSync>): number => {
    if (disk.isFull) throw new Error('ENOSPC: no space left on device, write');
    return fs.writeSync(...args);
  };
  return { ...fs, writeSync };
});

const newPath = () => join(scratchFolder(), 'values.spool');

describe('Spool', () => {
  const values = fc.array(
    fc.record({
      name: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(null)),
      numbers: fc.array(fc.double()).map((all) => Float64Array.from(all)),
      optional: fc.option(fc.integer(), { nil: undefined }),
    }),
  );

  it.each(['memory', 'a file'])('gives back from %s what was put away, in any order', (place) => {
    const check = fc.property(values, fc.infiniteStream(fc.nat()), (all, draws) => {
      const spool = new Spool<(typeof all)[number]>(place === 'memory' ? undefined : newPath());
      for (const value of all) spool.put(value);
      expect(spool.length).toBe(all.length);
      for (const _ of all) {
        const number = draws.next().value! % all.length;
        expect(spool.get(number)).toEqual(all[number]);
      }
      spool.close();
    });
    fc.assert(check, { seed: 7, numRuns: 30 });
  });

  it('reads and writes by turns', () => {
    const spool = new Spool<string>(newPath());
    for (const value of ['one', 'two', 'three']) {
      spool.put(value);
      expect(spool.get(spool.length - 1)).toBe(value);
      expect(spool.get(0)).toBe('one');
    }
    spool.close();
  });

  it('takes its file away when it is closed, once and again', () => {
    const path = newPath();
    const spool = new Spool<string>(path);
    spool.put('a value');
    expect(existsSync(path)).toBe(true);
    spool.close();
    spool.close();
    expect(existsSync(path)).toBe(false);
  });

  it('does not write over a file', () => {
    const path = newPath();
    const first = new Spool<string>(path);
    expect(() => new Spool<string>(path)).toThrow('EEXIST');
    first.close();
  });

  it('says when it is read that the disk was full', () => {
    const spool = new Spool<string>(newPath());
    spool.put('kept');
    disk.isFull = true;
    spool.put('lost');
    disk.isFull = false;
    spool.put('late');
    expect(() => spool.get(0)).toThrow(
      'Cannot keep the orders, fills and samples of the run: the disk is full, more room is wanted',
    );
    spool.close();
  });

  it('has no value beyond the last', () => {
    expect(() => new Spool<string>().get(0)).toThrow('there are 0 blocks');
  });
});
