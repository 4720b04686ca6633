import { describe, expect, it } from 'vitest';
import { replayed } from '../fixture.ts';

const MINUTES = Array.from({ length: 10 }, (_, at) => ({ close: 100, low: 99 - at / 10 }));

const QUOTES = 'quotes(market, [[99.5 - (count % 2) / 100, 1]], [], { postOnly: false })';

/** A strategy that wishes, at another price each time, whenever one of its timers goes off. */
const wishing = (timers: string, wish: string): string =>
  `import { defineStrategy, map, merge, order, quotes, timer, z } from '#strategy';
export default defineStrategy({
  name: 'scripted',
  params: z.any(),
  run: ({ market, clock }) =>
    merge(${timers}).pipe(map((_, count) => ${wish})),
});
`;

interface Wishing {
  readonly timers?: string;
  readonly wish?: string;
  readonly fill?: object;
}

/**
 * What a run says ahead of its figures, and how many fills it had. It wishes `firstMs` behind the
 * start, and every `everyMs` from there on.
 */
async function toldOf(firstMs: number, everyMs: number, options: Wishing = {}) {
  const { timers = `timer(${firstMs}, ${everyMs}, clock)`, wish = QUOTES, fill } = options;
  const { record, trades } = await replayed({
    ...{ minutes: MINUTES, script: {}, text: wishing(timers, wish) },
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
    const { notes } = await toldOf(61_000, 15_000, { fill: { at: 'heardPath' } });
    expect(notes).toEqual([]);
  });

  it('says nothing while most orders meet a candle', async () => {
    const timers = 'timer(60_000, 60_000, clock), timer(75_000, clock)';
    const { notes, fills } = await toldOf(60_000, 60_000, { timers });
    expect([notes, fills]).toEqual([[], 8]);
  });

  it('counts no order that takes at once or not at all', async () => {
    const wish = "order(market, { tag: 'bid', side: 'buy', price: 90, amount: 1, type: 'ioc' })";
    const { notes, fills } = await toldOf(61_000, 15_000, { wish });
    expect([notes, fills]).toEqual([[], 0]);
  });
});
