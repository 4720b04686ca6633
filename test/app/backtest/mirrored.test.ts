import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/kernel/index.ts';
import { type Minute, replayed, type Script } from './fixture.ts';

/** Prices are mirrored about 100: what buys at 99 sells at 101. */
const mirrored = (price: number): number => (20_000 - Math.round(price * 100)) / 100;

const PATHS = {
  openHighLowClose: 'openLowHighClose',
  openLowHighClose: 'openHighLowClose',
  adverseFirst: 'adverseFirst',
} as const;

type Levels = readonly (readonly [price: number, amount: number])[];

interface Story {
  readonly minutes: readonly Minute[];
  readonly script: Readonly<Record<number, { readonly bids: Levels; readonly asks: Levels }>>;
}

/** A walk of minutes with gaps between them, and quotes around each close; some of them take. */
function storyOf(random: Random): Story {
  const minutes: Minute[] = [];
  const script: Record<number, Story['script'][number]> = {};
  const cents = (most: number): number => random.integer(most + 1) / 100;
  // Coarse, so that prices often meet orders exactly.
  const onSteps = (price: number): number => Math.round(price * 20) / 20;
  let last = 100;
  for (let at = 0; at < 90; at++) {
    const open = onSteps(last + cents(20) - 0.1);
    const close = onSteps(open + cents(80) - 0.4 + (100 - open) / 50);
    const high = onSteps(Math.max(open, close) + cents(30));
    const reach = onSteps(Math.min(open, close) - cents(30));
    // Where both are as near to the open, the high comes first: that is no mirrored rule.
    const isAsNear = onSteps(high - open) === onSteps(open - reach);
    const low = isAsNear ? onSteps(reach - 0.05) : reach;
    minutes.push({ open, high, low, close, volume: random.integer(40) });
    const center = close + cents(60) - 0.3;
    const levels = (sign: number): Levels =>
      [0.05, 0.4].map((by) => [onSteps(center + sign * (by + cents(30))), 1 + random.integer(9)]);
    // Longer than a minute, so that they rest while candles go by.
    if (at % 3 === 0) script[at] = { bids: levels(-1), asks: levels(1) };
    last = close;
  }
  return { minutes, script };
}

function mirroredStory({ minutes, script }: Story): Story {
  const levels = (all: Levels): Levels => all.map(([price, amount]) => [mirrored(price), amount]);
  return {
    minutes: minutes.map(({ open, high, low, close, volume }) => ({
      ...{ open: mirrored(open!), high: mirrored(low!), low: mirrored(high!) },
      volume: volume!,
      close: mirrored(close),
    })),
    script: Object.fromEntries(
      Object.entries(script).map(([at, { bids, asks }]) => [
        at,
        { bids: levels(asks), asks: levels(bids) },
      ]),
    ),
  };
}

async function tradesOf({ minutes, script }: Story, backtest: object) {
  const wishes = script as unknown as Script;
  const balances = { usdt: '1000000', btc: '10000' };
  const { trades } = await replayed({
    ...{ minutes, script: wishes, backtest: { balances, ...backtest } },
  });
  return trades;
}

describe('a backtest of mirrored candles', () => {
  it.each([
    { at: 'thisClose', limits: 'touch', gaps: 'own', path: 'openHighLowClose' },
    { at: 'nextOpen', limits: 'penetration', gaps: 'own', path: 'openLowHighClose' },
    { at: 'nextOpen', limits: 'touch', gaps: 'open', path: 'adverseFirst' },
    { at: 'heardOpen', limits: 'penetration', gaps: 'open', path: 'openHighLowClose' },
    { at: 'heardPath', limits: 'touch', gaps: 'own', path: 'adverseFirst' },
  ] as const)('does mirrored trades, with %j', async (settings) => {
    const latencies = [{}, { order: 500, answer: 300 }];
    for (const [seed, latency] of latencies.entries()) {
      const more = seed === 0 ? { volumeCap: null } : { slippage: { steps: 3 } };
      const story = storyOf(seededRandom(`mirrored ${seed}`));
      const fill = { model: 'candles', ...settings, ...more };
      const trades = await tradesOf(story, { latency, fill });
      const turned = await tradesOf(mirroredStory(story), {
        ...{ latency, fill: { ...fill, path: PATHS[settings.path] } },
      });
      const back = turned.map(([side, amount, price, minute]) => {
        return [side === 'buy' ? 'sell' : 'buy', amount, mirrored(price), minute];
      });
      expect(trades.length).toBeGreaterThan(30);
      expect(back.map(String).sort()).toEqual(trades.map(String).sort());
    }
  });
});
