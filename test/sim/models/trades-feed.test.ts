import { expect, it } from 'vitest';
import type { Market, MarketEvent, TradeColumns } from '../../../src/domain/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { TradesFeed } from '../../../src/sim/index.ts';

const ROWS: TradeColumns = {
  ...{ time: Float64Array.of(7, 8), received: Float64Array.of(Number.NaN, Number.NaN) },
  ...{ price: Float64Array.of(100, 101), amount: Float64Array.of(1, 2) },
  side: Float64Array.of(1, -1),
};

function heard(count: number): MarketEvent[] {
  const events: MarketEvent[] = [];
  const feed = new TradesFeed({
    ...{ clock: new VirtualClock(9), market: { id: 'btc_usdt' } as Market },
    publish: (event) => void events.push(event),
  });
  for (let at = 0; at < count; at++) feed.hear(ROWS, at % 2);
  return events;
}

it('TradesFeed numbers what is heard from 1 on, as text', () => {
  const ids = heard(12_345).map((event) => 'id' in event && event.id);
  expect(ids).toEqual(Array.from({ length: 12_345 }, (_, at) => String(at + 1)));
});

it('TradesFeed tells a trade with its two times and the side of its taker', () => {
  const trade = { kind: 'trade', market: 'btc_usdt', receivedTime: 9 };
  expect(heard(2)).toEqual([
    { ...trade, id: '1', price: 100, amount: 1, side: 'buy', exchangeTime: 7 },
    { ...trade, id: '2', price: 101, amount: 2, side: 'sell', exchangeTime: 8 },
  ]);
});
