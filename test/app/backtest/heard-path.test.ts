import { describe, expect, it } from 'vitest';
import { checkLookahead } from '../../../src/app/backtest/checks/lookahead.ts';
import { type CandleSource, runBacktest } from '../../../src/app/backtest/index.ts';
import { seededRandom } from '../../../src/kernel/index.ts';
import { MINUTE, type Minute, START_MS, scriptedDeployment, sourceOf } from './fixture.ts';

/**
 * In behind the first minute, out at the first book whose best bid is a stop or lower, or so far below
 * the best that there was.
 */
const STOPPER = `import { defineStrategy, filter, first, map, merge, target, z } from '#strategy';
export default defineStrategy({
  name: 'stopper',
  params: z.strictObject({ stop: z.number(), trails: z.boolean(), sells: z.string() }),
  run({ market, markets, params: { stop, trails, sells }, candles, depth }) {
    let best = 0;
    const isStopped = (bid) => {
      best = Math.max(best, bid);
      return bid <= (trails ? best - stop : stop);
    };
    const sold = markets.find(({ id }) => id === sells);
    const entry = candles('1min').pipe(first(), map(() => target(sold, 1, { slippage: 0.5 })));
    const exit = depth().pipe(
      filter(({ bids, exchangeTime }) => exchangeTime > ${START_MS + MINUTE} && isStopped(bids[0][0])),
      first(),
      map(() => target(sold, 0, { slippage: 0.5 })),
    );
    return merge(entry, exit);
  },
});
`;

type Id = 'btc_usdt' | 'eth_usdt';

interface Options {
  readonly minutes: readonly Minute[];
  readonly stop: number;
  readonly trails?: boolean;
  readonly markets?: readonly Id[];
  readonly sells?: Id;
  readonly fill?: object;
  readonly latency?: object;
  readonly chunkRows?: number;
}

function deploymentOf({ stop, trails = false, latency = {}, ...options }: Options) {
  const { markets = ['btc_usdt'], sells = 'btc_usdt', fill } = options;
  const params = { stop, trails, sells };
  return scriptedDeployment({
    ...{ script: {}, text: STOPPER },
    settings: { markets, strategies: [{ use: './scripted.ts', name: 'stopper', params }] },
    backtest: {
      latency,
      fill: { model: 'candles', at: 'heardPath', pathSteps: 4, volumeCap: null, ...fill },
    },
  });
}

function sourcesOf({ markets = ['btc_usdt'], minutes, chunkRows }: Options): CandleSource[] {
  return markets.map((id) => sourceOf(id, minutes, chunkRows));
}

/** What was traded: side, price and seconds after the start. */
async function tradesOf(options: Options) {
  const { record } = await runBacktest({
    deployment: deploymentOf(options),
    sources: sourcesOf(options),
  });
  return Array.from(record.fills, ({ side, price, time }) => [
    side,
    price,
    (time - START_MS) / 1_000,
  ]);
}

/** Of the last: 102, 104 | 101, 98, 95, 92 | 94, 96, 98, 100, evenly over the minute. */
const DIP: readonly Minute[] = [{ close: 100 }, { open: 100, high: 104, low: 92, close: 100 }];
const DIP_PATH = [101, 102, 103, 104, 101, 98, 95, 92, 94, 96, 98, 100];

describe('prices within candles that are heard', () => {
  it.each([1, 2, 1_000])('are what a stop sells at, in chunks of %d', async (chunkRows) => {
    const at = DIP_PATH.indexOf(95) + 1;
    expect(await tradesOf({ minutes: DIP, stop: 97, chunkRows })).toEqual([
      ['buy', 100, 60],
      ['sell', 95, 60 + (60 * at) / DIP_PATH.length],
    ]);
  });

  it('come in the order that is set', async () => {
    const fill = { path: 'openLowHighClose' };
    const trades = await tradesOf({ minutes: DIP, stop: 97, fill });
    // 98, 96 of the way to the low.
    expect(trades[1]).toEqual(['sell', 96, 60 + (60 * 2) / DIP_PATH.length]);
  });

  it('are heard by what entered at a close, ahead of a gap and behind a hole', async () => {
    const stop = { open: 99, high: 103, low: 92, close: 100 };
    const fill = { atClose: 'thisClose' };
    const minutes = [{ close: 100 }, stop];
    const steps = (seconds: number) => [
      ['buy', 100, 60],
      ['sell', 94.75, seconds],
    ];
    expect(await tradesOf({ minutes, stop: 97, fill })).toEqual(steps(60 + (60 * 7) / 12));
    const late = [{ close: 100 }, { ...stop, at: 3 }];
    expect(await tradesOf({ minutes: late, stop: 97, fill })).toEqual(steps(180 + (60 * 7) / 12));
  });

  it('are not told where opens alone are', async () => {
    const minutes = [...DIP, { close: 96.5 }];
    const fill = { at: 'heardOpen', pathSteps: undefined };
    expect(await tradesOf({ minutes, stop: 97, fill })).toEqual([
      ['buy', 100, 60],
      ['sell', 96.5, 120],
    ]);
  });

  it('are heard as late as candles are: the stop meets the price of then', async () => {
    // A step of the path takes 5 s.
    const trades = await tradesOf({ minutes: DIP, stop: 97, latency: { feed: 5_500 } });
    expect(trades[1]).toEqual(['sell', 92, 100.5]);
  });

  it('are met by an order that takes its time', async () => {
    const trades = await tradesOf({ minutes: DIP, stop: 97, latency: { order: 11_000 } });
    expect(trades[1]).toEqual(['sell', 94, 106]);
  });

  it('pay slippage like any other', async () => {
    const fill = { slippage: { steps: 7 } };
    expect((await tradesOf({ minutes: DIP, stop: 97, fill }))[1]).toEqual(['sell', 94.93, 95]);
  });

  it('are what slippage is counted from, as heard by then', async () => {
    const referenceOf = async (options: Partial<Options>) => {
      const told = { minutes: DIP, stop: 97, ...options };
      const { record } = await runBacktest({
        deployment: deploymentOf(told),
        sources: sourcesOf(told),
      });
      return Array.from(record.fills, ({ referencePrice }) => referencePrice);
    };
    expect(await referenceOf({ fill: { slippage: { steps: 7 } } })).toEqual([100, 95]);
    // The price that the market is at by then is 92.
    expect(await referenceOf({ latency: { feed: 5_500 } })).toEqual([100, 95]);
  });

  it('come of all markets before anybody hears of one', async () => {
    const markets = ['btc_usdt', 'eth_usdt'] as const;
    expect(await tradesOf({ minutes: DIP, stop: 97, markets, sells: 'eth_usdt' })).toEqual([
      ['buy', 100, 60],
      ['sell', 95, 95],
    ]);
  });

  it('are refused where look-ahead is looked for', async () => {
    const options = { minutes: DIP, stop: 97 };
    const deployment = deploymentOf(options);
    await expect(checkLookahead({ deployment, sources: sourcesOf(options) })).rejects.toThrow(
      /deployment\.yaml:\d+:\d+: Cannot look for look-ahead: prices within candles are heard/,
    );
  });
});

describe('prices within candles that are heard, by settings of their path', () => {
  it('go first against what traded at the open, if they are to', async () => {
    const trades = await tradesOf({ minutes: DIP, stop: 97, fill: { path: 'adverseFirst' } });
    expect(trades[1]).toEqual(['sell', 96, 60 + (60 * 2) / DIP_PATH.length]);
  });

  it.each([1, 1_000])('go through a gap, if they are to, in chunks of %d', async (chunkRows) => {
    const gap = { open: 95, high: 99, low: 94, close: 98 };
    // Its stop looks at prices behind the open alone.
    const options = { minutes: [{ close: 100 }, gap], stop: 97, chunkRows };
    const fill = { atClose: 'thisClose', path: 'openLowHighClose' };
    const sold = (gaps: string) => tradesOf({ ...options, fill: { ...fill, gaps } });
    expect((await sold('own'))[1]).toEqual(['sell', 94.75, 65]);
    // From 100 down to 94 in four steps.
    expect((await sold('walked'))[1]).toEqual(['sell', 97, 70]);
  });

  it('have the places that are set, though the market has more', async () => {
    // To the low 101, 99, 96 in place of 100.6, 98.2, 95.8; slippage still counts in cents.
    const dip = { open: 100, high: 103, low: 91, close: 100 };
    const fill = { pathScale: 0, pathSteps: 5, slippage: { basisPoints: 5 } };
    const trades = await tradesOf({ minutes: [{ close: 100 }, dip], stop: 98, fill });
    expect(trades[1]).toEqual(['sell', 95.95, 60 + (60 * 8) / 15]);
  });
});

describe('the close of a candle whose prices are heard', () => {
  it('is heard while the candle is open: a stop that this alone reaches sells at it', async () => {
    const risen = { open: 100, high: 104, low: 100, close: 102 };
    const minutes = [{ close: 100 }, risen, { close: 103 }];
    expect(await tradesOf({ minutes, stop: 2, trails: true })).toEqual([
      ['buy', 100, 60],
      ['sell', 102, 119.999],
    ]);
  });
});

/** Where a stop sells, worked out with no thought for the engine: price, and seconds. */
function naiveStop(minutes: readonly Required<Minute>[], stop: number, steps: number) {
  for (const [row, { open, high, low, close }] of minutes.entries()) {
    if (row === 0) continue;
    const isHighFirst = high - open <= open - low;
    const path = [open];
    let from = open;
    for (const end of [...(isHighFirst ? [high, low] : [low, high]), close]) {
      for (let step = 1; step <= steps; step++) {
        path.push(from + Math.trunc(((end - from) * step) / steps));
      }
      from = end;
    }
    const at = path.findIndex((price) => price - 1 <= stop);
    if (at < 0) continue;
    const moves = path.length - 1;
    const withinMs = Math.min(MINUTE - 1, Math.floor((at * MINUTE) / moves));
    return ['sell', path[at]! / 100, (row * MINUTE + withinMs) / 1_000];
  }
  return undefined;
}

/** A market that falls by and by, in steps of its price. */
function wanderingMinutes(seed: string): Required<Minute>[] {
  const random = seededRandom(seed);
  let last = 10_000;
  return Array.from({ length: 60 }, (_, at) => {
    const open = last + random.integer(41) - 20;
    const close = open + random.integer(101) - 58;
    const high = Math.max(open, close) + random.integer(60);
    const low = Math.min(open, close) - random.integer(60);
    last = close;
    return { open, high, low, close, at, volume: 1_000 };
  });
}

function inMoney({ open, high, low, close, at, volume }: Required<Minute>): Minute {
  return { open: open / 100, high: high / 100, low: low / 100, close: close / 100, at, volume };
}

describe('a stop on prices within candles', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'sells where a naive loop does, seed %i',
    async (seed) => {
      const minutes = wanderingMinutes(`stop ${seed}`);
      const random = seededRandom(`terms ${seed}`);
      const stop = 9_900 - random.integer(100);
      const pathSteps = 1 + random.integer(8);
      const shown = minutes.map(inMoney);
      const trades = await tradesOf({ minutes: shown, stop: stop / 100, fill: { pathSteps } });
      const sold = naiveStop(minutes, stop, pathSteps);
      expect(sold).toBeDefined();
      expect(trades[1]).toEqual(sold);
    },
  );

  it.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'sells at its own price where each leg has a step for every price, seed %i',
    async (seed) => {
      const minutes = wanderingMinutes(`exact stop ${seed}`);
      // The best bid is made up a step below the price.
      const stop = 9_950 - 3 * seed;
      const at = minutes.findIndex(({ open, low }, row) => row > 0 && Math.min(open, low) <= stop);
      const { open } = minutes[at]!;
      const shown = minutes.map(inMoney);
      const trades = await tradesOf({
        ...{ minutes: shown, stop: (stop - 1) / 100 },
        fill: { pathSteps: 1_000 },
      });
      expect(trades[1]!.slice(0, 2)).toEqual(['sell', Math.min(open, stop) / 100]);
    },
  );
});
