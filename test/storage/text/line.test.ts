import { describe, expect, it } from 'vitest';
import type { Amount, OrderState, Price, TargetIntent } from '../../../src/domain/index.ts';
import { lineOf } from '../../../src/storage/text/line.ts';
import { filledEvents, orderEvent, orderOf, START_MS } from '../events.ts';

const target: TargetIntent = { kind: 'target', market: 'a"b', position: -0.25, slippage: 0.002 };
const names = { market: 'a"b', strategy: 'maker' };

describe('lineOf', () => {
  it.each([
    target,
    { ...target, priceLimit: 42_000.5 as Price },
    { ...target, position: -0, slippage: Number.NaN },
    { kind: 'cancel', market: 'a"b', tag: 'exit' } as const,
  ])('writes a wish as JSON does: %j', (intent) => {
    const event = { kind: 'intent', time: START_MS, ...names, intent } as const;
    expect(lineOf(event)).toBe(JSON.stringify(event));
  });

  it.each([undefined, 'entry', 'a"b'])(
    'writes a fill as JSON does, of an order by tag: %s',
    (tag) => {
      const filled = filledEvents().find((event) => event.kind === 'fill')!;
      const fill = { ...filled.fill, ...(tag !== undefined && { tag }) };
      const event = { ...filled, fill };
      expect(JSON.parse(lineOf(event))).toEqual(JSON.parse(JSON.stringify(event)));
    },
  );

  const changes: readonly Partial<OrderState>[] = [
    { clientOrderId: 'order2' },
    { market: 'eth_usdt' },
    { side: 'sell' },
    { type: 'ioc' },
    { price: 43_000 as Price },
    { amount: 0.02 as Amount },
    { strategy: 'taker' },
    { tag: 'ask1' },
    { createdTime: START_MS + 1 },
    { filledAmount: 0.005 as Amount },
  ];

  it.each(changes)('writes what an order has, not what the one before had: %j', (change) => {
    lineOf(orderEvent());
    const order = { ...orderOf(), ...change } as OrderState;
    expect(JSON.parse(lineOf(orderEvent(order))).order).toEqual(JSON.parse(JSON.stringify(order)));
  });
});
