import type { Subscription } from 'rxjs';
import type { Market } from '../../src/domain/index.ts';
import type { Random, VirtualClock } from '../../src/kernel/index.ts';
import {
  type SimulatedExchange,
  startSyntheticMarket,
  syntheticSchema,
} from '../../src/sim/index.ts';

export interface OthersOptions {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly markets: readonly Market[];
}

/** Everybody else who trades in the markets, until each subscription ends. */
export function startMarkets(
  exchange: SimulatedExchange,
  { clock, random, markets }: OthersOptions,
): Subscription[] {
  return markets.map(({ id, base }) => {
    const parameters = syntheticSchema.parse({
      startPrice: base === 'btc' ? 30_000 : 2_000,
      levels: 5,
      levelValue: 3_000,
      tradesPerMinute: 60,
      tradeValue: 400,
      noiseOrdersPerMinute: 20,
      stepMs: 500,
      volatility: 2,
      historyHours: 0,
    });
    const liquidity = exchange.anonymous(id);
    return startSyntheticMarket({
      ...{ liquidity, clock, parameters },
      random: random.fork(`market ${id}`),
    });
  });
}
