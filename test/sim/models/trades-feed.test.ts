import { expect, it } from 'vitest';
import type { Market, MarketEvent, TradeColumns } from '../../../src/domain/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { TradesFeed } from '../../../src/sim/index.ts';

const ROWS: TradeColumns = {
  ...{ time: Float64Array.of(7, 8), received: Float64Array.of(Number.NaN, Number.NaN) },
  ...{ price: Float64Array.of(100, 101), amount: Float64Array.of(1, 2) },
  side: Float64Array.of(1, -1),
};

function heard(): MarketEvent[] {
  const events: MarketEvent[] = [];
  const feed = new TradesFeed({
    ...{ clock: new VirtualClock(9), market: { id: 'btc_usdt' } as Market },
    publish: (event) => void events.push(event),
  });
  for (let at = 0; at < 2; at++) feed.hear(ROWS, at);
  return events;
}

it('TradesFeed tells a trade with a number, its two times and the side of its taker', () => {
  const trade = { kind: 'trade', market: 'btc_usdt', receivedTime: 9 };
  expect(heard()).toEqual([
    { ...trade, id: '1', price: 100, amount: 1, side: 'buy', exchangeTime: 7 },
    { ...trade, id: '2', price: 101, amount: 2, side: 'sell', exchangeTime: 8 },
  ]);
});
