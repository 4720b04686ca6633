import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { chartDataOf } from '../../src/report/chart/chart-data.ts';
import { largestMarks, marksOf, positionsOf } from '../../src/report/chart/chart-fills.ts';
import { downsampleCurve } from '../../src/report/chart/downsample.ts';
import { encodeColumn, encodeRuns } from '../../src/report/chart/encoding.ts';
import { curveOf, drawdownCurve } from '../../src/report/curve.ts';
import { countTicks, histogram } from '../../src/report/histogram.ts';
import { UNPACKING } from '../../src/report/html/script/unpacking.ts';
import { type Analysis, analyse, reportHtml } from '../../src/report/index.ts';
import { byYear, monthlyReturns } from '../../src/report/months.ts';
import {
  DAY,
  inBlocks,
  MINUTE,
  makeCurve,
  makeFill,
  makeMarket,
  makeRealisticRecord,
  makeRecord,
  START,
  wholeCurve,
} from './fixture.ts';

const lowest = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b));
const highest = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b));

describe('downsampleCurve', () => {
  test('keeps every peak and trough, in rising times, and ends with the last value', () => {
    const values = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 50, maxLength: 400 });
    fc.assert(
      fc.property(values, fc.integer({ min: 8, max: 60 }), (numbers, limit) => {
        const equity = Float64Array.from(numbers);
        const time = equity.map((_, at) => START + at * MINUTE);
        const thinned = downsampleCurve([{ time, values: equity }], limit);
        expect(thinned.time.length).toBeLessThanOrEqual(Math.max(limit, numbers.length) + 4);
        expect(thinned.values.at(-1)).toBe(equity.at(-1));
        expect(thinned.time.length).toBe(thinned.values.length);
        expect(highest(thinned.values)).toBe(highest(equity));
        expect(lowest(thinned.values)).toBe(lowest(equity));
        expect([...thinned.time].every((at, row) => row === 0 || at > thinned.time[row - 1]!)).toBe(
          true,
        );
      }),
      { seed: 3 },
    );
  });

  test.each([1, -1])('gives trough and peak in the order in which they came, times %i', (sign) => {
    const time = Float64Array.from({ length: 120 }, (_, at) => START + at * MINUTE);
    const values = time.map((_, at) => sign * (at === 10 ? -5 : at === 40 ? 7 : at / 100));
    const thinned = downsampleCurve([{ time, values }], 4);
    expect([...thinned.values.subarray(0, 2)]).toEqual([-5 * sign, 7 * sign]);
  });

  test('thins a year of minutes to the limit', () => {
    const time = new Float64Array(525_600).map((_, at) => START + at * MINUTE);
    expect(downsampleCurve([{ time, values: time }], 10_000).time.length).toBeLessThanOrEqual(
      10_002,
    );
  });
});

/** What the page's script makes of a run: equity, and candles and marks of its first market. */
function unpacked(analysis: Analysis) {
  const data = { textContent: JSON.stringify(chartDataOf(analysis)) };
  const [market, equity] = ['data.markets[0]', 'pointsOf(data.equity)'];
  const wanted = `{ equity: ${equity}, candles: candlesOf(${market}), marks: marksOf(${market}) }`;
  const page = { window: {}, document: { getElementById: () => data } };
  const text: string = runInNewContext(`${UNPACKING} JSON.stringify(${wanted})`, page);
  return JSON.parse(text) as {
    readonly equity: readonly object[];
    readonly candles: readonly object[];
    readonly marks: readonly {
      readonly time: number;
      readonly kind: number;
      readonly price: number;
    }[];
  };
}

describe('chartDataOf', () => {
  test('is unpacked by the page to what the record has', () => {
    const record = makeRealisticRecord({ minutes: 500, trades: 4 });
    const markets = [makeMarket(), makeMarket({ id: 'eth_usdt', base: 'eth' })];
    const fills = [...record.fills, makeFill({ market: 'eth_usdt' })];
    const { equity, candles, marks } = unpacked(analyse({ ...record, markets, fills }));
    const { time, equity: values } = wholeCurve(record);
    const points = Array.from(time, (ms, at) => ({ time: ms / 1000, value: values[at] }));
    expect(equity).toEqual(
      points.map((point) => ({ ...point, value: expect.closeTo(point.value!, 2) })),
    );
    const own = record.prices.get('btc_usdt')!;
    const columns = Object.entries(own).filter(([name]) => name !== 'time');
    const rows = Array.from(own.time, (ms, at) => {
      return [['time', ms / 1000], ...columns.map(([name, column]) => [name, column[at]])];
    });
    expect(candles).toEqual(rows.map((row) => Object.fromEntries(row)));
    const wanted = marksOf(record.fills, { candleTimes: own.time, market: makeMarket() });
    const kinds = wanted.map(({ side, isEntry }) => `${side} ${isEntry}`);
    const named = ['buy true', 'buy false', 'sell true', 'sell false'];
    expect(marks.map(({ kind }) => named[[1, 2, -1, -2].indexOf(kind)])).toEqual(kinds);
    expect(marks.map((mark) => mark.time)).toEqual(wanted.map((mark) => mark.time / 1000));
    expect(marks.map(({ price }) => price)).toEqual(
      wanted.map(({ price }) => expect.closeTo(price, 2)),
    );
  });

  test.each([500, 20_000])(
    'is the same of a curve of %i minutes in one block or many',
    (minutes) => {
      const record = makeRealisticRecord({ minutes, trades: 4 });
      const whole = { ...record, curve: [wholeCurve(record)] };
      expect(chartDataOf(analyse(record))).toEqual(chartDataOf(analyse(whole)));
      const months = monthlyReturns(curveOf(record.curve, 'equity'));
      expect(months).toEqual(monthlyReturns(curveOf(whole.curve, 'equity')));
    },
  );
});

describe('drawdownCurve', () => {
  test('is how far the equity lies below its highest so far, in percent, across blocks', () => {
    const curve = inBlocks(makeCurve([100, 80, 120, 150, 75, 150, 165]));
    const blocks = Array.from(drawdownCurve(curveOf(curve, 'equity')), ({ values }) => [...values]);
    expect(blocks.flat()).toEqual([0, -20, 0, 0, -50, 0, 0].map((it) => expect.closeTo(it, 9)));
  });

  test('loses all of a peak of nothing', () => {
    const [block] = drawdownCurve(curveOf([makeCurve([0, -5, 0, 100, 90])], 'equity'));
    expect([...block!.values]).toEqual([0, -100, 0, 0, expect.closeTo(-10, 9)]);
  });
});

describe('encoding', () => {
  test('is undone by adding up', () => {
    const values = Float64Array.of(1.25, 1.5, 1.5, 1.5, -2);
    expect(encodeColumn(values, 2).deltas).toEqual([125, 25, 0, 0, -350]);
    expect(encodeRuns(values, 2).runs).toEqual([125, 1, 25, 1, 0, 2, -350, 1]);
  });
});

describe('marksOf', () => {
  const candleTimes = Float64Array.of(0, 1, 2).map((at) => START + at * MINUTE);
  const options = { candleTimes, market: makeMarket() };
  const at = (minute: number) => ({ time: START + minute * MINUTE });

  test('tells entries from exits, and a turn is an entry', () => {
    const marks = marksOf(
      [
        makeFill({ ...at(0), side: 'buy' }),
        makeFill({ ...at(1), side: 'sell', amount: 3 as Amount }),
        makeFill({ ...at(2.5), side: 'buy' }),
      ],
      options,
    );
    expect(
      marks.map(({ side, isEntry, time }) => [side, isEntry, (time - START) / MINUTE]),
    ).toEqual([
      ['buy', true, 0],
      ['sell', true, 1],
      ['buy', false, 2],
    ]);
  });

  test('counts what is held without fees in the base currency, which are gone', () => {
    const fills = [
      makeFill({ ...at(0), amount: 1 as Amount, fee: Decimal.of('0.25'), feeCurrency: 'btc' }),
      makeFill({ ...at(1), side: 'sell', amount: 0.75 as Amount }),
      makeFill({ ...at(2), side: 'sell', amount: 0.25 as Amount }),
    ];
    expect(marksOf(fills, options).map(({ isEntry }) => isEntry)).toEqual([true, false, true]);
  });

  test('takes no noise of sums for a turn', () => {
    const parts = [0.1, 0.2].map((amount, minute) =>
      makeFill({ ...at(minute + 1), side: 'sell', amount: amount as Amount }),
    );
    const fills = [makeFill({ ...at(0), amount: 0.3 as Amount }), ...parts];
    expect(marksOf(fills, options).map(({ isEntry }) => isEntry)).toEqual([true, false, false]);
  });

  test('joins the fills of a candle at their average price', () => {
    const fills = [makeFill({ ...at(0), price: 100 }), makeFill({ ...at(0.5), price: 110 })];
    expect(marksOf(fills, options)).toEqual([
      { time: START, side: 'buy', isEntry: true, amount: 2, value: 210, price: 105 },
    ]);
  });
});

describe('largestMarks', () => {
  const at = (minute: number) => ({ time: START + minute * MINUTE });
  const minutes = Float64Array.from({ length: 40 }, (_, minute) => START + minute * MINUTE);
  const options = { candleTimes: minutes, market: makeMarket() };

  test('keeps the largest of each side among those that follow each other', () => {
    // An exit is worth less than its entry, by the fee.
    const fills = Array.from(minutes, (_, minute) => {
      const isBuy = minute % 2 === 0;
      const price = (isBuy ? 100 : 99) - minute;
      return makeFill({ ...at(minute), side: isBuy ? 'buy' : 'sell', price });
    });
    const kept = largestMarks(marksOf(fills, options), 8);
    expect(kept.map(({ side, value }) => [side, value])).toEqual([
      ...[
        ['buy', 100],
        ['sell', 98],
        ['buy', 90],
        ['sell', 88],
      ],
      ...[
        ['buy', 80],
        ['sell', 78],
        ['buy', 70],
        ['sell', 68],
      ],
    ]);
    expect(largestMarks(kept, 8)).toBe(kept);
  });

  test('has one side alone where there is no other', () => {
    const fills = [100, 300, 200].map((price, minute) => makeFill({ ...at(minute), price }));
    const kept = largestMarks(marksOf(fills, options), 2);
    expect(kept.map(({ value }) => value)).toEqual([300]);
  });
});

describe('positionsOf', () => {
  const SECOND = 1_000;
  const candleTimes = Float64Array.of(0, 1, 2, 3).map((at) => START + at * SECOND);
  const at = (seconds: number) => ({ time: START + seconds * SECOND });

  test('holds at the end of each candle what all fills up to then came to', () => {
    const fills = [
      makeFill({ ...at(0.2), side: 'buy', amount: 2 as Amount }),
      makeFill({ ...at(0.9), side: 'sell' }),
      // It opens the next candle, on which it is marked.
      makeFill({ ...at(1), side: 'sell', amount: 3 as Amount }),
      makeFill({ ...at(70), side: 'buy', amount: 2 as Amount }),
    ];
    const options = { candleTimes, market: makeMarket() };
    expect([...positionsOf(fills, options)]).toEqual([1, -2, -2, 0]);
    expect([...positionsOf([], options)]).toEqual([0, 0, 0, 0]);
  });

  test('is less by fees in the base currency alone', () => {
    const fee = Decimal.of('0.25');
    const fills = [
      makeFill({ ...at(0), fee, feeCurrency: 'btc' }),
      makeFill({ ...at(1), side: 'sell', fee, feeCurrency: 'usdt' }),
    ];
    const held = positionsOf(fills, { candleTimes, market: makeMarket() });
    expect([...held]).toEqual([0.75, -0.25, -0.25, -0.25]);
  });
});

describe('countTicks', () => {
  test.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [18, [0, 5, 10, 15, 20]],
    [20, [0, 5, 10, 15, 20]],
    [41, [0, 20, 40, 60]],
    [1_234, [0, 500, 1_000, 1_500]],
  ])('of %i are whole, a round step apart, and reach it', (highest, ticks) => {
    expect(countTicks(highest)).toEqual(ticks);
  });

  test('are few, whatever there is to count', () => {
    for (let highest = 1; highest < 3_000; highest++) {
      const ticks = countTicks(highest);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
      expect(ticks.at(-2)).toBeLessThan(highest);
    }
  });
});

describe('monthlyReturns', () => {
  test('are none where nothing but the start is known', () => {
    expect(monthlyReturns(curveOf([makeCurve([1000])], 'equity'))).toEqual([]);
  });

  const from = Date.UTC(2020, 11, 30);
  const time = Float64Array.from({ length: 40 }, (_, day) => from + day * DAY);
  const values = time.map((_, day) => 100 + day);

  test('a month ends with midnight of the next one’s first', () => {
    const months = monthlyReturns([{ time, values }]);
    expect(months.map(({ year, month }) => [year, month])).toEqual([
      [2020, 12],
      [2021, 1],
      [2021, 2],
    ]);
    expect(months[0]?.value).toBeCloseTo(102 / 100 - 1, 12);
    expect(months[1]?.value).toBeCloseTo(133 / 102 - 1, 12);
  });

  test('a year compounds its months', () => {
    const years = byYear(monthlyReturns([{ time, values }]));
    expect(years.map(({ year }) => year)).toEqual([2020, 2021]);
    expect(years[1]?.total).toBeCloseTo(139 / 102 - 1, 12);
    expect(years[1]?.months.map((value) => value !== undefined)).toEqual([
      ...[true, true],
      ...new Array(10).fill(false),
    ]);
  });
});

describe('the months of the report', () => {
  const headsOf = (...days: readonly number[]): string[] => {
    const time = Float64Array.from(days, (day) => Date.UTC(2024, 3, 20) + day * DAY);
    const curve = { ...makeCurve(days.map((day) => 100 + day)), time };
    const page = reportHtml(analyse(makeRecord({ curve })), '');
    const section = page.slice(page.indexOf('Monthly returns'));
    const heads = section.slice(0, section.indexOf('</thead>')).match(/<th .*?<\/th>/g)!;
    return heads.map((head) => head.replaceAll(/<.*?>/g, ''));
  };

  test('are those that any year has some of', () => {
    expect(headsOf(0, 1, 30)).toEqual(['Year', 'Apr', 'May', 'Whole']);
    expect(headsOf(0, 1, 260)).toEqual(['Year', 'Jan', 'Apr', 'Whole']);
  });
});

describe('months of an account that went bankrupt', () => {
  const time = [20, 31, 62, 400].map((day) => Date.UTC(2024, 0, 1) + day * DAY);
  const curve = [{ time: Float64Array.from(time), values: Float64Array.of(100, -50, -150, -300) }];

  test('have no return from zero or below on, nor have such years', () => {
    const [first, second] = byYear(monthlyReturns(curve));
    expect(first!.months.slice(0, 3)).toEqual([-1.5, undefined, Number.NaN]);
    expect([first!.total, second!.total]).toEqual([-2.5, Number.NaN]);
  });

  test('are no numbers in the report', () => {
    const [block] = curve;
    const record = makeRecord({
      curve: { ...makeCurve([...block!.values]), time: block!.time },
    });
    const page = reportHtml(analyse(record), '');
    const section = page.slice(page.indexOf('Monthly returns'));
    const cells = section.slice(0, section.indexOf('</section>')).match(/<td.*?<\/td>/g)!;
    const texts = cells.map((cell) => cell.replaceAll(/<.*?>/g, ''));
    expect(texts.filter((text) => text !== '')).toEqual(['-150.00', '–', '-250.00', '–', '–']);
  });
});

describe('histogram', () => {
  test('counts every value once, in bins of one width with zero on an edge', () => {
    const values = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, (numbers) => {
        const bins = histogram(numbers);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length);
        for (const { from, to, count } of bins) {
          expect(from).toBeLessThan(to);
          expect(from < 0 && to > 0).toBe(false);
          if (count === 0) continue;
          const slack = 1e-9 * Math.max(1, Math.abs(from), Math.abs(to));
          expect(numbers.some((one) => one >= from - slack && one < to + slack)).toBe(true);
        }
      }),
      { seed: 5 },
    );
  });

  test('gathers what lies far out in open-ended bins', () => {
    const many = [...Array.from({ length: 200 }, (_, at) => (at - 100) / 1000), 50, -50];
    const bins = histogram(many);
    expect(bins.length).toBeLessThan(50);
    expect([bins[0]?.from, bins.at(-1)?.to]).toEqual([-Infinity, Infinity]);
  });

  test('of nothing is empty, of one value a single bin', () => {
    expect(histogram([])).toEqual([]);
    expect(histogram([0.05])).toHaveLength(1);
  });
});
