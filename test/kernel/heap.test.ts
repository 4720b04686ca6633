import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../src/kernel/index.ts';

const ascending = (a: number, b: number): number => a - b;
const numbers = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 60 });

function heapOf(values: readonly number[]): Heap<number> {
  const heap = new Heap<number>((a, b) => a < b);
  for (const value of values) heap.push(value);
  return heap;
}

function drain(heap: Heap<number>): number[] {
  const values: number[] = [];
  for (let top = heap.pop(); top !== undefined; top = heap.pop()) values.push(top);
  return values;
}

describe('Heap', () => {
  it('agrees with a sorted list under any mix of push, pop and peek', () => {
    const command = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 100 }), (commands) => {
        const heap = heapOf([]);
        const sorted: number[] = [];
        for (const value of commands) {
          if (value === undefined) {
            expect(heap.pop()).toBe(sorted.shift());
          } else {
            heap.push(value);
            sorted.push(value);
            sorted.sort(ascending);
          }
          expect([heap.size, heap.peek()]).toEqual([sorted.length, sorted[0]]);
        }
      }),
      { seed: 6 },
    );
  });

  it('retain keeps what it is told and stays a heap', () => {
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 5 }), (values, divisor) => {
        const keep = (value: number): boolean => value % divisor === 0;
        const heap = heapOf(values);
        heap.retain(keep);
        expect(heap.size).toBe(values.filter(keep).length);
        expect(drain(heap)).toEqual(values.filter(keep).toSorted(ascending));
      }),
      { seed: 7 },
    );
  });
});
