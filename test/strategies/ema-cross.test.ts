import { describe, expect, it } from 'vitest';
import {
  Ema,
  runStrategy,
  scriptedCandles,
  scriptedPosition,
  type TargetIntent,
} from '../../src/strategy/index.ts';
import emaCross from '../../strategies/ema-cross.ts';

const PARAMS = { amount: 2, interval: '1min', fast: 2, slow: 4 } as const;
const DOWN = [10, 9, 8, 7, 6];
const UP = [9, 12, 15, 18];

/** The positions wished over candles with these closes. */
function positions(closes: readonly number[], options: { short?: boolean; past?: number[] } = {}) {
  const { short = false, past = [] } = options;
  const history = scriptedCandles(past);
  const startMs = past.length * 60_000;
  const run = runStrategy(emaCross, {
    params: { ...PARAMS, short },
    history,
    startMs,
    events: scriptedCandles(closes, { startMs }),
  });
  return run.intents.map((intent) => (intent as TargetIntent).position);
}

describe('ema-cross', () => {
  it('goes long on a cross above and flat on a cross below', () => {
    expect(positions([...DOWN, ...UP, ...DOWN])).toEqual([2, 0]);
  });

  it('goes short instead of flat where told', () => {
    expect(positions([...DOWN, ...UP, ...DOWN], { short: true })).toEqual([2, -2]);
  });

  it('wants nothing before a cross, however steep the trend', () => {
    expect(positions([...DOWN, 5, 4, 3])).toEqual([]);
  });

  it('warms up on the history without trading on it', () => {
    expect(positions([], { past: [...DOWN, ...UP] })).toEqual([]);
    expect(positions(UP, { past: DOWN })).toEqual([2]);
  });

  it.each([
    ['long where the fast average is below', 2, DOWN, [0]],
    ['long where it is above', 2, UP, []],
    ['short where it is above', -2, UP, [0]],
    ['the dust of fees', 0.00009, DOWN, []],
    ['nothing', 0, DOWN, []],
  ])('goes out at a restart that finds itself %s', (_, amount, closes, wished) => {
    const past = scriptedCandles([...DOWN, ...UP, ...closes]);
    const startMs = past.length * 60_000;
    const held = scriptedPosition({ time: startMs, amount, price: 9 });
    const newest = past.slice(-1);
    const history = past.slice(0, -1);
    const run = runStrategy(emaCross, {
      ...{ params: { ...PARAMS, short: true }, history, startMs },
      events: [held, ...newest],
    });
    expect(run.intents.map((intent) => (intent as TargetIntent).position)).toEqual(wished);
  });

  it('changes sides exactly where the averages do', () => {
    const closes = Array.from({ length: 200 }, (_, i) => 100 + 10 * Math.sin(i / 7) + Math.sin(i));
    const fast = new Ema(PARAMS.fast);
    const slow = new Ema(PARAMS.slow);
    const above = closes
      .map((close) => [fast.next(close), slow.next(close)] as const)
      .flatMap(([a, b]) => (a === undefined || b === undefined ? [] : [a > b]));
    const flips = above.filter((side, index) => index > 0 && side !== above[index - 1]);
    expect(flips.length).toBeGreaterThan(5);
    expect(positions(closes)).toEqual(flips.map((side) => (side ? 2 : 0)));
  });
});
