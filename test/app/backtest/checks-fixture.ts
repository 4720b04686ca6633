import {
  type BacktestDeployment,
  type CandleSource,
  loadBacktest,
} from '../../../src/app/backtest/index.ts';
import type { EventOf } from '../../../src/domain/index.ts';
import { seededRandom } from '../../../src/kernel/index.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { deploymentFile } from '../fixture.ts';
import { tickDataset } from './tick-fixture.ts';

/** A deployment whose average crosses now and then in two days of made-up minutes. */
export function checkedDeployment(overrides: Record<string, unknown> = {}): BacktestDeployment {
  const { backtest, ...others } = overrides;
  const file = deploymentFile({
    strategies: [
      { use: 'ema-cross', params: { amount: 0.01, interval: '5min', fast: 3, slow: 8 } },
    ],
    ...others,
    backtest: {
      from: '2024-01-01',
      to: '2024-01-03',
      balances: { usdt: '20000' },
      generate: { btc_usdt: { startPrice: 30_000, tradesPerMinute: 20, seed: 'tradewind' } },
      ...(backtest as object),
    },
  });
  return loadBacktest(file);
}

/** A wish of a strategy, told apart by its time and its tag. */
export function wish(time: number, tag = 'a'): EventOf<'intent'> {
  const market = 'btc_usdt';
  const intent = { kind: 'cancel', market, tag } as const;
  return { kind: 'intent', time, market, strategy: 'maker', intent };
}

const FOLLOWER = new URL('follower.ts', import.meta.url).pathname;

/**
 * A deployment that quotes by trades, one every second or so, on their way for some time. By their
 * stamps they took 5 to 54 ms, all but one near the end: it came 250 ms before it happened.
 */
export async function tickDeployment(feed: unknown): Promise<BacktestDeployment> {
  const random = seededRandom('trades');
  const rows = Array.from({ length: 800 }, (_, at) => {
    const time = Date.UTC(2024, 0, 1) + at * 1_000 + random.integer(900);
    const price = 30_000 + Math.round(20 * Math.sin(at / 30)) + random.integer(5);
    const side = random.integer(2) === 0 ? 1 : -1;
    const received = time + (at === 750 ? -250 : 5 + (at % 50));
    return [time, received, `${at}`, price, 0.02, side];
  });
  const { root, dataset } = await tickDataset({ kind: 'trades', rows });
  const settings = {
    strategies: [{ use: FOLLOWER, name: 'follower' }],
    backtest: {
      balances: { usdt: '20000', btc: '1' },
      dataFolder: root,
      data: { btc_usdt: dataset.id },
      fill: { model: 'trades' },
      latency: { order: 40, answer: 30, feed },
    },
  };
  return loadBacktest(deploymentFile(settings));
}

/**
 * Made-up minutes of two days with a leak: their volumes are the closes of the minutes behind them,
 * as far as there are any.
 */
export function leakySource(): CandleSource {
  const stepMs = 60_000;
  const firstMs = Date.UTC(2024, 0, 1);
  const random = seededRandom('leak');
  const closes = Array.from({ length: 2 * 24 * 60 }, () => 30_000 + random.integer(100));
  return {
    kind: 'candles',
    market: makeMarket(),
    ...{ name: 'leaky', hash: 'leaky', interval: '1min', stepMs, firstMs },
    endMs: firstMs + closes.length * stepMs,
    async *chunks(from, to) {
      const [first, end] = [from, to].map((time) => Math.floor((time - firstMs) / stepMs));
      const known = closes.slice(first, end);
      const close = Float64Array.from(known);
      const time = Float64Array.from(known, (_, at) => firstMs + (first! + at) * stepMs);
      const volume = Float64Array.from(known, (own, at) => known[at + 1] ?? own);
      yield { time, open: close, high: close, low: close, close, volume };
    },
  };
}
