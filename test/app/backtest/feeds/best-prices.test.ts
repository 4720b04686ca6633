import { describe, expect, it } from 'vitest';
import { BestPrices } from '../../../../src/app/backtest/feeds/best-prices.ts';
import type { TradingEvent } from '../../../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../../../src/kernel/index.ts';
import { DirectStreams } from '../../../../src/market/index.ts';
import { scriptedMarket as market } from '../../../../src/strategy/index.ts';

/** Best prices of a market, and what whoever reads its book sees: best bid, best ask, amount. */
function opened({ isRead = true } = {}) {
  const bus = new Bus<TradingEvent>();
  const kinds = new Set(['trade', 'depth'] as const);
  const recorded = new Map([[market.id, { name: 'test', kinds }]]);
  const streams = new DirectStreams({ bus, recorded });
  const best = new BestPrices({ market, bus, streams, clock: new VirtualClock(9) });
  const seen: unknown[] = [];
  const read = (): void => {
    streams.depth(market.id).subscribe(({ bids, asks, exchangeTime, receivedTime }) => {
      expect([bids.length, asks.length, exchangeTime, receivedTime]).toEqual([1, 1, 5, 9]);
      seen.push([bids[0]![0], asks[0]![0], bids[0]![1], asks[0]![1]]);
    });
  };
  if (isRead) read();
  const trade = (side: 'buy' | 'sell', amount = 1) => ({ buys: side === 'buy', timeMs: 5, amount });
  return { best, seen, read, trade };
}

describe('BestPrices', () => {
  it('stand a step below and above the price of a candle, none of them at nothing', () => {
    const { best, seen } = opened();
    best.around(100, { timeMs: 5, amount: 7 });
    best.around(0.01, { timeMs: 5, amount: 8 });
    expect(seen).toEqual([
      [99.99, 100.01, 7, 7],
      [0.01, 0.02, 8, 8],
    ]);
  });

  it('are where takers bought and sold last, the other side out of the way', () => {
    const { best, seen, trade } = opened();
    best.traded(100, trade('buy', 2));
    best.traded(99, trade('sell', 3));
    best.traded(101, trade('buy'));
    // Beyond the other side, and at it.
    best.traded(102, trade('sell'));
    best.traded(102, trade('buy'));
    expect(seen).toEqual([
      [99.99, 100, 2, 2],
      [99, 100, 3, 3],
      [99, 101, 1, 1],
      [102, 102.01, 1, 1],
      [101.99, 102, 1, 1],
    ]);
  });

  it('know of the trades before the first reader', () => {
    const { best, seen, read, trade } = opened({ isRead: false });
    best.around(100, { timeMs: 5, amount: 1 });
    best.traded(98, trade('sell'));
    read();
    best.traded(103, trade('buy'));
    expect(seen).toEqual([[98, 103, 1, 1]]);
  });

  it('are told once of several trades that are heard together', () => {
    const { best, seen, trade } = opened();
    best.note(101, trade('buy', 2));
    best.note(99, trade('sell', 3));
    expect(seen).toEqual([]);
    best.tellNoted();
    best.tellNoted();
    expect(seen).toEqual([[99, 101, 3, 3]]);
    best.note(102, trade('buy', 4));
    best.tellNoted();
    expect(seen.slice(1)).toEqual([[99, 102, 4, 4]]);
  });
});
