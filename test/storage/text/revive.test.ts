import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/kernel/index.ts';
import { lineOf } from '../../../src/storage/text/line.ts';
import { reviveEvent, reviveOrder } from '../../../src/storage/text/revive.ts';
import { orderEvent, orderOf } from '../events.ts';
import { anyEvent } from '../fixture.ts';

/** Decimals by their value: 1.50 and 1.5 are one number. */
function normal(value: unknown): unknown {
  if (value instanceof Decimal) return Decimal.of(value.toString());
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, normal(part)]));
}

describe('reviveEvent', () => {
  it('gives back every event that was written, decimals as decimals', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(normal(reviveEvent(lineOf(event)))).toEqual(normal(event));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it('writes what it read as the same line', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const line = lineOf(event);
        expect(lineOf(reviveEvent(line))).toBe(line);
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it('keeps more digits than a double has', () => {
    const value = Decimal.of('12345678901234567890.123456789012345678');
    const line = lineOf(orderEvent(orderOf({ filledValue: value })));
    expect(reviveOrder(line).filledValue.toString()).toBe(value.toString());
  });
});

describe('reviveEvent, of a line that somebody has edited,', () => {
  const fill = { strategy: 'a', market: 'btc_usdt', value: '1', fee: '0', amount: 1, price: 1 };
  const event = { kind: 'fill', time: 1, market: 'btc_usdt' };

  it.each([
    [{ time: 'x' }, {}, 'its time is "x", not a number'],
    [{ market: 5 }, {}, 'its market is 5, not a text'],
    [{}, { market: 5 }, "its fill's market is 5, not a text"],
    [{}, { amount: null }, 'its amount is null, not a number'],
    [{}, { price: 'abc' }, 'its price is "abc", not a number'],
  ])('names what is of another type than all who read it take it for: %j %j', (own, of, what) => {
    const line = JSON.stringify({ ...event, ...own, fill: { ...fill, ...of } });
    expect(() => reviveEvent(line)).toThrow(`Cannot revive an event of kind fill: ${what}`);
  });

  it.each([
    ['order', 'order'],
    ['orderPush', 'order'],
    ['fill', 'fill'],
    ['lateFee', 'lateFee'],
    ['position', 'position'],
    ['intent', 'intent'],
    ['refusal', 'refusal'],
  ])('misses what an event of kind %s is about, its %s', (kind, about) => {
    const line = (part: object) => JSON.stringify({ kind, time: 1, market: 'btc_usdt', ...part });
    const refused = `Cannot revive an event of kind ${kind}: its ${about} is `;
    expect(() => reviveEvent(line({ renamed: {} }))).toThrow(`${refused}missing`);
    expect(() => reviveEvent(line({ [about]: null }))).toThrow(`${refused}null, not an object`);
  });
});
