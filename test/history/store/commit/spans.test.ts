import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CandleRow, candle, csv, json, rowsOf, START, Store } from '../fixture.ts';

/** The first minute, and the one behind the last. */
type Minutes = readonly [from: number, to: number];

const OLD = 100;
const NEW = 200;

const minutesOf = ([from, to]: Minutes): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

const rowsAt = (minutes: readonly number[], price: number): CandleRow[] =>
  minutes.map((minute) => candle(minute, price));

/** The rows of a dataset of old minutes after files of new ones have joined it. */
async function joined(known: readonly number[], files: readonly Minutes[], replaces: boolean) {
  const store = new Store();
  const resolution = '1min';
  await store.import(store.file('btc_usdt.json', json(rowsAt(known, OLD))), { resolution });
  const added = files.map((minutes, at) =>
    store.file(`btc_usdt-${at}.json`, json(rowsAt(minutesOf(minutes), NEW))),
  );
  const overlap = replaces ? 'replace' : 'refuse';
  return rowsOf(await store.import(added, { overlap, resolution }));
}

describe('the files of an import', () => {
  const known = minutesOf([0, 10]);

  it.each([false, true])(
    'join a dataset that lies between them, replacing: %s',
    async (replaces) => {
      const rows = await joined(
        known,
        [
          [-5, -2],
          [12, 15],
        ],
        replaces,
      );
      const around = [[-5, -2] as const, [12, 15] as const].map((one) =>
        rowsAt(minutesOf(one), NEW),
      );
      expect(rows).toEqual([...around[0]!, ...rowsAt(known, OLD), ...around[1]!]);
    },
  );

  it('take the place of what they have the time of, and of nothing between them', async () => {
    // Each lies apart from the next: they neither overlap nor follow each other.
    const file = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }));
    const files = fc.array(file, { minLength: 1, maxLength: 4 });
    const old = fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(files, old, async (lengths, minutes) => {
        let end = 0;
        const spans = lengths.map(([apart, length]): Minutes => {
          const from = end + apart + 1;
          end = from + length;
          return [from, end];
        });
        const isNew = (minute: number) => spans.some(([from, to]) => minute >= from && minute < to);
        const all = new Set([...minutes.filter((one) => !isNew(one)), ...spans.flatMap(minutesOf)]);
        const sorted = [...all].sort((a, b) => a - b);
        const expected = sorted.map((one) => candle(one, isNew(one) ? NEW : OLD));
        expect(
          await joined(
            minutes.toSorted((a, b) => a - b),
            spans,
            true,
          ),
        ).toEqual(expected);
      }),
      { seed: 14, numRuns: 12 },
    );
  });
});

describe('files of ticks', () => {
  it('are one where they are less than an hour apart', async () => {
    const store = new Store();
    const trades = (name: string, seconds: readonly number[]) => {
      const rows = seconds.map((second) => [
        START + second * 1_000,
        `${name}${second}`,
        'buy',
        5,
        1,
      ]);
      return store.file(`${name}.csv`, `time,id,side,price,amount\n${csv(rows)}`);
    };
    const market = 'btc_usdt';
    const hour = 3_600;
    await store.import(trades('old', [0, 60, 120, hour, 2 * hour, 4 * hour]), { market });
    const files = [
      trades('a', [0, 60]),
      trades('b', [180, 200]),
      trades('c', [3 * hour, 4 * hour]),
    ];
    const dataset = await store.import(files, { market, overlap: 'replace' });
    const times = (await rowsOf(dataset)).map(([time]) => (time! - START) / 1_000);
    expect(times).toEqual([0, 60, 180, 200, hour, 2 * hour, 3 * hour, 4 * hour]);
  });
});
