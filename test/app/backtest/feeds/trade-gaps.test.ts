import { describe, expect, it } from 'vitest';
import { RecordedPrices } from '../../../../src/app/backtest/feeds/prices.ts';
import { TradeGaps } from '../../../../src/app/backtest/feeds/trade-gaps.ts';
import type { TradingEvent } from '../../../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../../../src/kernel/index.ts';
import type { MarketView } from '../../../../src/market/index.ts';

/** What is told of a recording with two gaps, from 2 to 5 and from 5 to 8, whose rows are heard. */
function toldOf(rows: readonly number[]): unknown[] {
  const [clock, bus, market] = [new VirtualClock(0), new Bus<TradingEvent>(), 'btc_usdt'];
  const prices = new RecordedPrices({
    ...{ clock, bus, markets: [market], view: {} as MarketView, withBook: new Set<string>() },
  });
  const gaps = [
    { from: 2, to: 5, reason: 'cut' },
    { from: 5, to: 8, reason: 'cut again' },
  ];
  const told: unknown[] = [];
  bus.on('gap').subscribe(({ time, reason }) => told.push([time, reason]));
  bus.on('freshness').subscribe(({ time, stream, fresh }) => told.push([time, stream, fresh]));
  const missing = new TradeGaps({ market, bus, clock, prices, gaps });
  for (const row of rows) {
    clock.advanceTo(row);
    missing.before(row);
    missing.behind(row);
  }
  return told;
}

const stale = (time: number, fresh = false) =>
  ['trade', 'depth'].map((kind) => [time, kind, fresh]);

describe('TradeGaps', () => {
  it('tell each gap once, and that best prices are as stale as trades', () => {
    expect(toldOf([1, 2, 3, 5, 9])).toEqual([
      ...[...stale(2), [5, 'cut'], ...stale(5, true)],
      ...[...stale(5), [9, 'cut again'], ...stale(9, true)],
    ]);
  });

  it('tell nothing of gaps that were over before the first row', () => {
    expect(toldOf([8, 9])).toEqual([]);
    expect(toldOf([6, 9])).toEqual([...stale(6), [9, 'cut again'], ...stale(9, true)]);
  });
});
