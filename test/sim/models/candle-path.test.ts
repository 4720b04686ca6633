import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CandleColumns } from '../../../src/domain/index.ts';
import {
  joined,
  type PathOptions,
  pathLength,
  pathOf,
  sawHighFirst,
} from '../../../src/sim/models/candle-path.ts';
import { candlesModelSchema } from '../../../src/sim/models/index.ts';

interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

function rowsOf(...candles: readonly Candle[]): CandleColumns {
  const column = (name: keyof Candle) => Float64Array.from(candles, (candle) => candle[name]);
  return {
    ...{ time: new Float64Array(candles.length), volume: new Float64Array(candles.length) },
    ...{ open: column('open'), high: column('high'), low: column('low'), close: column('close') },
  };
}

type Settings = PathOptions['settings'];

function pathFixture(candle: Candle, settings: Partial<Settings> = {}, position = 0): number[] {
  return pathOf(rowsOf(candle), {
    ...{ at: 0, priceFactor: 100, position },
    settings: { path: 'nearestFirst', pathSteps: 2, ...settings },
  });
}

const CANDLE = { open: 10, high: 12, low: 4, close: 6 };

describe('candlesModelSchema', () => {
  it.each(['thisClose', 'nextOpen', 'heardOpen'])('refuses steps of a path with %s', (at) => {
    const settings = { model: 'candles', at, pathSteps: 4, pathScale: 2 };
    const message = `it has no effect with at: ${at}, at: heardPath is wanted with it`;
    expect(candlesModelSchema.safeParse(settings).error?.issues).toEqual([
      expect.objectContaining({ path: ['pathSteps'], message }),
      expect.objectContaining({ path: ['pathScale'], message }),
    ]);
  });

  it.each(['thisClose', 'nextOpen', 'heardOpen'])('refuses a moment at the close with %s', (at) => {
    const settings = { model: 'candles', at, atClose: 'thisClose' };
    expect(candlesModelSchema.safeParse(settings).error?.issues).toEqual([
      expect.objectContaining({ path: ['atClose'] }),
    ]);
  });

  it.each([{ at: 'heardPath' }, { at: 'heardPath', atClose: 'nextOpen' }, { at: 'thisClose' }])(
    'refuses to walk through gaps with %j',
    (settings) => {
      const walked = { model: 'candles', gaps: 'walked', ...settings };
      expect(candlesModelSchema.safeParse(walked).error?.issues).toEqual([
        expect.objectContaining({ path: ['gaps'] }),
      ]);
    },
  );

  it('takes them where strategies see the path: 10 a leg where none are set', () => {
    const parse = (steps?: number) =>
      candlesModelSchema.parse({ model: 'candles', at: 'heardPath', pathSteps: steps });
    expect(pathFixture(CANDLE, { pathSteps: undefined, ...parse() })).toHaveLength(30);
    expect(pathLength(parse())).toBe(30);
    expect(parse(4)).toMatchObject({ pathSteps: 4 });
  });
});

describe('sawHighFirst', () => {
  it.each([
    ['the nearer one', { open: 10, high: 11, low: 8, close: 9 }, true],
    ['not the one further away', { open: 10, high: 13, low: 9, close: 9 }, false],
    ['the high where both are as near', { open: 10, high: 11, low: 9, close: 9 }, true],
    ['the same where doubles are off', { open: 0.3, high: 0.6, low: 0, close: 0.1 }, true],
  ])('says of the nearest first: %s', (_, candle, isHigh) => {
    expect(sawHighFirst(rowsOf(candle), { at: 0, path: 'nearestFirst', position: 0 })).toBe(isHigh);
  });

  it('follows the order that is set, whatever is nearer', () => {
    const rows = rowsOf({ open: 10, high: 11, low: 5, close: 9 });
    const held = { at: 0, position: 3 };
    expect(sawHighFirst(rows, { ...held, path: 'openLowHighClose' })).toBe(false);
    expect(sawHighFirst(rows, { ...held, path: 'openHighLowClose' })).toBe(true);
    expect(sawHighFirst(rows, { ...held, path: 'nearestFirst' })).toBe(true);
  });

  it.each([
    ['the low of a long position', 1, false, false],
    ['the high of a short one', -1, true, true],
    ['the nearer one of none', 0, true, false],
  ])('says of the adverse first: %s', (_, position, isOfHigh, isOfLow) => {
    const path = 'adverseFirst';
    const nearHigh = rowsOf({ open: 10, high: 11, low: 5, close: 9 });
    const nearLow = rowsOf({ open: 10, high: 15, low: 9, close: 9 });
    expect(sawHighFirst(nearHigh, { at: 0, path, position })).toBe(isOfHigh);
    expect(sawHighFirst(nearLow, { at: 0, path, position })).toBe(isOfLow);
  });
});

describe('sawHighFirst by direction', () => {
  it.each([
    ['the low of one that rose', 10.5, false],
    ['the low of one that closed where it opened', 10, false],
    ['the high of one that fell', 9.5, true],
  ])('says: %s', (_, close, isHigh) => {
    const rows = rowsOf({ open: 10, high: 11, low: 9, close });
    expect(sawHighFirst(rows, { at: 0, path: 'byDirection', position: 1 })).toBe(isHigh);
  });
});

describe('pathOf', () => {
  it('goes from the open to both extremes and to the close, each way in even steps', () => {
    expect(pathFixture(CANDLE)).toEqual([11, 12, 8, 4, 5, 6]);
    expect(pathFixture(CANDLE, { path: 'openLowHighClose' })).toEqual([7, 4, 8, 12, 9, 6]);
    expect(pathFixture(CANDLE, { pathSteps: 1 })).toEqual([12, 4, 6]);
  });

  it('stays on scale, no further on a way than it is', () => {
    const candle = { open: 10, high: 10.05, low: 9.96, close: 9.96 };
    expect(pathFixture(candle, { path: 'openHighLowClose' })).toEqual([
      10.02, 10.05, 10.01, 9.96, 9.96, 9.96,
    ]);
  });

  it('has prices with fewer places than its market, and its ends as they were recorded', () => {
    const candle = { open: 10.05, high: 10.35, low: 9.82, close: 9.86 };
    const settings = { path: 'openHighLowClose', pathSteps: 3, pathScale: 1 } as const;
    expect(pathFixture(candle, settings)).toEqual([
      ...[10.1, 10.2, 10.35],
      ...[10.2, 10, 9.82],
      ...[9.82, 9.82, 9.86],
    ]);
    expect(pathFixture(candle, { ...settings, pathScale: 6 })).toEqual(
      pathFixture(candle, { ...settings, pathScale: undefined }),
    );
  });

  it('has as many steps of every candle: their number tells nothing of what is to come', () => {
    expect(pathFixture({ open: 10, high: 10, low: 10, close: 10 })).toEqual([
      10, 10, 10, 10, 10, 10,
    ]);
    expect(pathFixture({ open: 10, high: 10, low: 9, close: 9 })).toEqual([10, 10, 9.5, 9, 9, 9]);
  });

  it('turns at high and low alone, stays between them and ends at the close', () => {
    const tick = fc.integer({ min: 1, max: 3_000 });
    const steps = fc.integer({ min: 1, max: 20 });
    fc.assert(
      fc.property(tick, tick, tick, tick, steps, (a, b, open, close, pathSteps) => {
        const prices = [a, b, open, close].map((ticks) => ticks / 100);
        const [high, low] = [Math.max(...prices), Math.min(...prices)];
        const candle = { open: open / 100, high, low, close: close / 100 };
        const path = pathFixture(candle, { pathSteps });
        const seen = [candle.open, ...path];
        expect(path.at(-1)).toBe(candle.close);
        expect(seen).toContain(high);
        expect(seen).toContain(low);
        expect(Math.max(...seen)).toBe(high);
        expect(Math.min(...seen)).toBe(low);
        expect(path).toHaveLength(3 * pathSteps);
        for (const price of path) expect(Math.round(price * 100) / 100).toBe(price);
        const turns = seen.filter((price, at) => {
          if (at === 0 || at === seen.length - 1) return false;
          return (price - seen[at - 1]!) * (seen[at + 1]! - price) < 0;
        });
        for (const turn of turns) expect([high, low]).toContain(turn);
        expect(turns.length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('begins where the open was recorded, though that is off scale', () => {
    const candle = { open: 10.0049, high: 10.02, low: 10.0049, close: 10.02 };
    const path = [10.0049, 10.01, 10.01, 10.02];
    expect(pathFixture(candle, { pathSteps: 4, path: 'openHighLowClose' }).slice(0, 4)).toEqual(
      path,
    );
  });
});

describe('joined', () => {
  /** Open, high, low and close of each. */
  const candles = (...prices: readonly (readonly [number, number, number, number])[]) =>
    rowsOf(...prices.map(([open, high, low, close]) => ({ open, high, low, close })));

  it('lets candles begin at the close before, their high and low as far as that', () => {
    const rows = candles([10, 12, 9, 11], [13, 14, 12, 13], [8, 9, 7, 8]);
    const met = candles([10, 12, 9, 11], [11, 14, 11, 13], [13, 13, 7, 8]);
    expect(joined(rows, Number.NaN)).toEqual(met);
    expect(rows.open).toEqual(Float64Array.of(10, 13, 8));
  });

  it('goes on from the close that was last', () => {
    expect(joined(candles([13, 14, 12, 13]), 15)).toEqual(candles([15, 15, 12, 13]));
    expect(joined(candles(), 15)).toEqual(candles());
  });
});
