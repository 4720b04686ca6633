import { describe, expect, it } from 'vitest';
import type { Market } from '../../src/domain/index.ts';
import { seededRandom } from '../../src/kernel/index.ts';
import { target } from '../../src/strategy/index.ts';
import { crowdFixture, randomWishes } from './crowd.ts';

/** More of them: TRADEWIND_CROWD_SEEDS=500, and others: TRADEWIND_CROWD_FIRST=1000. */
const COUNT = Number(process.env.TRADEWIND_CROWD_SEEDS ?? 24);
const FIRST = Number(process.env.TRADEWIND_CROWD_FIRST ?? 1);
const SEEDS = Array.from({ length: COUNT }, (_, at) => FIRST + at);

const END_MS = 60_000;
const LONG_MAX = 3;
const SHORT_MAX = 2;
/** Less than the least order at any price here, what fees leave included. */
const DUST = 0.0101;
/** How long what may not stay any more is on its way out. */
const LEAVING_MS = 2_000;

/** The settings of a seed: each limit by itself and with others. */
function settingsOf(seed: number) {
  const isEach = (nth: number): boolean => seed % nth === 0;
  return {
    latencyMs: [0, 25, 150][Math.floor(seed / 2) % 3]!,
    risk: {
      ...{ orderValueMax: 120, openValueMax: 600, positionValueMax: 1e5, collarFraction: 0.2 },
      ...{ longMax: LONG_MAX, shortMax: SHORT_MAX, dailyLossMax: 1e6, drawdownMax: 1e6 },
      ...(isEach(3) && { blackouts: [{ from: '09:00', to: '09:01' }] }),
      ...(isEach(4) && { priceMin: 99 }),
      ...(isEach(5) && { orderToTradeMax: 3, orderToTradeFreeOrders: 20 }),
      ...(isEach(7) && { ownSpreadMin: 0.003 }),
    },
    executor: {
      ...(isEach(2) && { orderLifetimeMinMs: 3_000 }),
      ...(seed % 3 === 1 && { batch: true }),
    },
  };
}

/** What was wrong in a run of three strategies, and what they hold in the end. */
async function crowded(seed: number) {
  const random = seededRandom(`crowd ${seed}`);
  const wishes = {
    ...{ a: randomWishes(random, END_MS), b: randomWishes(random, END_MS) },
    c: randomWishes(random, END_MS),
  };
  const bot = await crowdFixture({ wishes, ...settingsOf(seed) });
  const wrong: string[] = [];
  let middle = 100;
  let reducedMs = Number.POSITIVE_INFINITY;
  for (let atMs = 0; atMs < END_MS + 60_000; atMs += 250) {
    middle = Math.min(102, Math.max(98, middle + (random.next() - 0.5) * 0.4));
    const at = (distance: number): number => Number((middle + distance).toFixed(2));
    const bids: [number, number][] = [
      [at(-0.02), 3],
      [at(-0.5), 50],
    ];
    bot.book(bids, [
      [at(0.02), 3],
      [at(0.5), 50],
    ]);
    if (atMs === END_MS / 2 && seed % 2 === 1) {
      bot.state.set('REDUCING', 'test');
      reducedMs = atMs;
    }
    await bot.run(250);
    const position = bot.positionOf();
    const { buys, sells } = bot.resting();
    if (position + buys > LONG_MAX + DUST) wrong.push(`${atMs}: long ${position} + ${buys}`);
    if (sells - position > SHORT_MAX + DUST) wrong.push(`${atMs}: short ${position} - ${sells}`);
    if (atMs < reducedMs + LEAVING_MS) continue;
    if (buys > Math.max(0, -position) + DUST) wrong.push(`${atMs}: ${buys} bought at ${position}`);
    if (sells > Math.max(0, position) + DUST) wrong.push(`${atMs}: ${sells} sold at ${position}`);
  }
  return { wrong, held: ['a', 'b', 'c'].map(bot.positionOf), net: bot.positionOf() };
}

describe('three strategies in one market', () => {
  it.each(SEEDS)('keep within all limits, and get out when they wish to, seed %i', async (seed) => {
    const { wrong, held, net } = await crowded(seed);
    expect(wrong).toEqual([]);
    if (seed % 2 === 1) expect(Math.abs(net)).toBeLessThan(DUST);
    else for (const own of held) expect(Math.abs(own)).toBeLessThan(DUST);
  });
});

describe('a turn from long to short while trading reduces', () => {
  it('goes to flat, and on once trading is active again', async () => {
    const own = [
      { atMs: 1_000, of: (market: Market) => target(market, 2) },
      { atMs: 10_000, of: (market: Market) => target(market, -1) },
    ];
    const plenty = { orderValueMax: 1e4, openValueMax: 1e4, positionValueMax: 1e4 };
    const bot = await crowdFixture({ wishes: { own }, risk: plenty });
    bot.book([[99.99, 50]], [[100.01, 50]]);
    await bot.run(5_000);
    expect(bot.positionOf('own')).toBeCloseTo(2, 1);
    bot.state.set('REDUCING', 'test');
    await bot.run(10_000);
    expect(bot.positionOf('own')).toBeCloseTo(0, 1);
    bot.state.reset();
    await bot.run(5_000);
    expect(bot.positionOf('own')).toBeCloseTo(-1, 1);
  });
});
