import { describe, expect, it } from 'vitest';
import { publishedAsOne } from '../../../src/app/replay/published-as-one.ts';
import type { TradingEvent } from '../../../src/domain/index.ts';
import { lateFeeOf, placed, wished } from '../compare/fixture.ts';

/** The kinds of the events that are taken together, of events in their order. */
function together(...events: readonly (TradingEvent | readonly TradingEvent[])[]): string[] {
  const entries = (events.flat() as TradingEvent[]).map((event, sequence) => ({ sequence, event }));
  return Array.from(publishedAsOne(entries as never), (run) =>
    run.map(({ event }) => event.kind).join(' '),
  );
}

describe('publishedAsOne', () => {
  it('takes an order, its fill and the fee of it together', () => {
    const bought = placed(1, { filled: true });
    expect(together(wished(0, 100), bought, lateFeeOf('order', '0.1'), wished(2, 101))).toEqual([
      ...['intent', 'order fill lateFee', 'intent'],
    ]);
  });

  it('takes orders behind a booking with it, and those of which nothing was booked alone', () => {
    expect(together(placed(1), placed(2), placed(3, { filled: true }), placed(3))).toEqual([
      ...['order', 'order', 'order fill order'],
    ]);
    expect(together(placed(1, { filled: true }), wished(2, 101), placed(3), placed(4))).toEqual([
      ...['order fill', 'intent', 'order', 'order'],
    ]);
  });
});
