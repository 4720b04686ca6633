import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/kernel/index.ts';
import { order, quotes, target } from '../../src/strategy/index.ts';
import { crowdFixture, type Wish } from './crowd.ts';

/** More of them: TRADEWIND_ROOM_SEEDS=300, and others: TRADEWIND_ROOM_FIRST=1000. */
const COUNT = Number(process.env.TRADEWIND_ROOM_SEEDS ?? 16);
const FIRST = Number(process.env.TRADEWIND_ROOM_FIRST ?? 1);
const SEEDS = Array.from({ length: COUNT }, (_, at) => FIRST + at);

const OUT_MS = 20_000;
/** How long an exit may take whose room others hold: ways there and back, pauses, news of coins. */
const LATEST_MS = 6_000;
/** Less than the least order, what fees leave included. */
const DUST = 0.0101;
/** What `positionValueMax` comes to where no `shortMax` is set. */
const VALUE_MAX = 230;

const STOP: readonly Wish[] = [
  { atMs: 1_000, of: (market) => target(market, 2) },
  { atMs: OUT_MS, of: (market) => target(market, 0) },
];

/** Asks of all kinds, and bids below the others', wished anew all the time by who holds nothing. */
function asksOf(random: Random, pauseMs: number): readonly Wish[] {
  const price = (from: number, width: number): number =>
    Number((from + width * random.next()).toFixed(2));
  const amount = (): number => (1 + random.integer(150)) / 100;
  const wishOf = (): Wish['of'] => {
    if (random.next() < 0.4) {
      const terms = { tag: `ask${random.integer(3)}`, price: price(100.5, 4), amount: amount() };
      return (market) => order(market, { ...terms, side: 'sell', type: 'limit' });
    }
    const levels = Array.from({ length: 1 + random.integer(4) }, () => price(100.5, 4));
    const asks = levels.map((at) => [at, amount()] as const);
    const bids = random.next() < 0.4 ? [[price(98.5, 1.3), amount()] as const] : [];
    return (market) => quotes(market, bids, asks);
  };
  const wishes: Wish[] = [];
  for (let atMs = 6_000; atMs < 40_000; atMs += 50 + random.integer(pauseMs)) {
    wishes.push({ atMs, of: wishOf() });
  }
  return wishes;
}

/** When the stop was out, and when more was asked than the limit lets. */
async function played(seed: number) {
  const random = seededRandom(`room ${seed}`);
  const shortMax = [0, 1, 2, undefined][random.integer(4)];
  const latencyMs = [0, 25, 100, 300][random.integer(4)]!;
  const hasOthers = random.next() < 0.7;
  const limits = shortMax === undefined ? { positionValueMax: VALUE_MAX } : { shortMax };
  const bot = await crowdFixture({
    wishes: { stop: STOP, one: asksOf(random, 1_500), other: asksOf(random, 3_000) },
    latencyMs,
    balances: { usdt: '100000', btc: hasOthers ? '100' : '0' },
    risk: {
      ...{ orderValueMax: random.next() < 0.5 ? 80 : 1e4, openValueMax: 1e5, longMax: 5 },
      ...{ positionValueMax: 1e5, dailyLossMax: 1e6, drawdownMax: 1e6, ...limits },
    },
  });
  const bound = shortMax ?? VALUE_MAX / 99;
  const wrong: string[] = [];
  let outMs = Number.POSITIVE_INFINITY;
  for (let atMs = 0; atMs < OUT_MS + 2 * LATEST_MS; atMs += 100) {
    const at = (price: number): number => Number((price + 0.2 * Math.sin(atMs / 3_000)).toFixed(2));
    bot.book([[at(99.9), 3]], [[at(100.1), 3]]);
    await bot.run(100);
    const { sells } = bot.resting();
    const short = sells - bot.positionOf();
    if (short > bound + DUST) wrong.push(`${atMs}: short ${short}`);
    if (atMs > OUT_MS && bot.positionOf('stop') < DUST) outMs = Math.min(outMs, atMs);
  }
  return { wrong, outMs };
}

describe('an exit beside strategies that ask for what they do not hold', () => {
  it.each(SEEDS)('is out soon, and the limit holds at every moment, seed %i', async (seed) => {
    const { wrong, outMs } = await played(seed);
    expect(wrong).toEqual([]);
    expect(outMs).toBeLessThan(OUT_MS + LATEST_MS);
  });
});
