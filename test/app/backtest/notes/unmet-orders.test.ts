import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const MINUTES = Array.from({ length: 10 }, (_, at) => ({ close: 100, low: 99 - at / 10 }));

/** A maker that begins `firstMs` behind the start, and quotes at another price every `everyMs`. */
const quoting = (firstMs: number, everyMs: number): string =>
  `import { defineStrategy, map, quotes, timer, z } from '#strategy';
export default defineStrategy({
  name: 'scripted',
  params: z.any(),
  run: ({ market, clock }) =>
    timer(${firstMs}, ${everyMs}, clock).pipe(
      map((count) => quotes(market, [[99.5 - (count % 2) / 100, 1]], [], { postOnly: false })),
    ),
});
`;

/** What a run says ahead of its figures, and how many fills it had. */
async function toldOf(firstMs: number, everyMs: number, fill: object = {}) {
  const { record, trades } = await replayed({
    ...{ minutes: MINUTES, script: {}, text: quoting(firstMs, everyMs) },
    backtest: { fill: { model: 'candles', ...fill } },
  });
  return { notes: record.notes.slice(0, record.decisive), fills: trades.length };
}

describe('UnmetOrders', () => {
  it('tells of orders that are made anew more often than a candle is over', async () => {
    expect(await toldOf(60_000, 15_000)).toEqual({
      notes: [
        expect.stringMatching(/^35 of 35 orders that rested met no candle: they were cancelled /),
      ],
      fills: 0,
    });
  });

  it('tells of orders that are made anew in the middle of each candle', async () => {
    const { notes, fills } = await toldOf(61_000, 60_000);
    expect([notes.length, fills]).toEqual([1, 0]);
  });

  it('says nothing where orders are made as candles close', async () => {
    const { notes, fills } = await toldOf(60_000, 60_000);
    expect([notes, fills]).toEqual([[], 9]);
  });

  it('says nothing where prices within a candle are heard', async () => {
    const { notes } = await toldOf(61_000, 15_000, { at: 'heardPath' });
    expect(notes).toEqual([]);
  });
});
