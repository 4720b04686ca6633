import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Doubles } from '../../src/kernel/index.ts';

/** What may be done with a column, and with the array beside it. */
const step = fc.oneof(
  fc.record({ do: fc.constant('push' as const), value: fc.double() }),
  fc.record({ do: fc.constant('set' as const), at: fc.nat(), value: fc.double() }),
);

describe('Doubles', () => {
  it('holds what an array would, whatever was pushed and set', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const column = new Doubles();
        const values: number[] = [];
        for (const one of steps) {
          if (one.do === 'push') {
            column.push(one.value);
            values.push(one.value);
          } else if (values.length > 0) {
            column.set(one.at % values.length, one.value);
            values[one.at % values.length] = one.value;
          }
        }
        expect([...column.view()]).toEqual(values);
        expect(column.length).toBe(values.length);
      }),
    );
  });

  it('grows beyond its first room and keeps what was there', () => {
    const column = new Doubles();
    for (let value = 0; value < 5_000; value++) column.push(value);
    expect(column.view()).toEqual(Float64Array.from({ length: 5_000 }, (_value, at) => at));
  });
});
