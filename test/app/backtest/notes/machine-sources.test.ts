import { describe, expect, it } from 'vitest';
import { watchMachine } from '../../../../src/app/backtest/notes/machine-sources.ts';

const READS: readonly (() => unknown)[] = [
  () => Date.now(),
  () => new Date(),
  () => Date(),
  () => Math.random(),
  () => clearTimeout(setTimeout(() => {}, 0)),
  () => clearInterval(setInterval(() => {}, 1_000)),
];

describe('watchMachine', () => {
  it('tells of each read of the date, of chance and of timers', () => {
    const seen: string[] = [];
    const leave = watchMachine((source) => void seen.push(source));
    for (const read of READS) read();
    leave();
    expect(seen).toEqual(['date', 'date', 'date', 'chance', 'timer', 'timer']);
  });

  it('lets dates of given times be, and what they are', () => {
    const seen: string[] = [];
    const leave = watchMachine((source) => void seen.push(source));
    const date = new Date(86_400_000);
    const facts = [date instanceof Date, date.constructor === Date, date.toISOString()];
    facts.push(Date.UTC(1970, 0, 2) === date.getTime(), new Date(1970, 0, 1).getMonth() === 0);
    leave();
    expect(facts).toEqual([true, true, '1970-01-02T00:00:00.000Z', true, true]);
    expect(date instanceof Date).toBe(true);
    expect(seen).toEqual([]);
  });

  it('leaves the functions of the machine as they were, once the last watcher is gone', () => {
    const before = [Date, Date.now, Date.prototype.constructor, Math.random, setTimeout];
    const seen: string[] = [];
    const first = watchMachine(() => void seen.push('first'));
    const second = watchMachine(() => void seen.push('second'));
    first();
    first();
    Date.now();
    second();
    Date.now();
    expect(seen).toEqual(['second']);
    expect([Date, Date.now, Date.prototype.constructor, Math.random, setTimeout]).toEqual(before);
    expect(Date).toBe(before[0]);
  });
});
