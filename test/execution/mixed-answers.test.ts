import { describe, expect, it } from 'vitest';
import type { Fate } from './exchange-model.ts';
import { createBench, quotes, SECOND_MARKET } from './fixture.ts';

/** The id that the model gives to an order, by how many came before. */
const idOf = (index: number) => String(1_000_000_000_000_000_000n + BigInt(index));

/** A bid and an ask whose answers were mixed up on their way. */
function createMixed(
  pushDelayMs: number | undefined,
  fates: readonly Fate[],
  bids?: readonly (readonly [number, number])[],
) {
  const bench = createBench();
  bench.model.pushDelayMs = pushDelayMs;
  let placed = 0;
  bench.model.fate = (operation) => (operation === 'place' ? (fates[placed++] ?? {}) : {});
  bench.wish(bids === undefined ? quotes([[100, 1]], [[110, 2]]) : quotes(bids));
  const filled = () => bench.ofKind('fill').map(({ fill }) => [Number(fill.price), fill.amount]);
  return { ...bench, filled };
}

const answerOf = (index: number) => ({ exchangeOrderId: idOf(index) });
const MIXED: readonly (readonly [string, readonly Fate[]])[] = [
  ['exchanged', [{ answer: answerOf(1) }, { answer: answerOf(0) }]],
  ['exchanged, the second first', [{ answer: answerOf(1), backMs: 50 }, { answer: answerOf(0) }]],
  ['given to the other alone', [{ answer: answerOf(1) }, { loss: 'silent' }]],
  ['given to both', [{ answer: answerOf(1) }, {}]],
];

describe.each([2, 20, undefined])('orders whose answers are mixed up, pushes %s', (delayMs) => {
  it.each(MIXED)('book what each of them fills: %s', (_, fates) => {
    const { clock, filled, live, model, halts, orders } = createMixed(delayMs, fates);
    clock.advanceBy(1_000);
    model.fill(model.orders[0]!);
    clock.advanceBy(180_000);
    expect(orders.unknownCount).toBe(0);
    expect(filled()).toEqual([[100, 1]]);
    for (const order of model.open) model.fill(order);
    clock.advanceBy(62_000);
    const total = (price: number) =>
      filled().reduce((sum, [at, amount]) => (at === price ? sum + amount! : sum), 0);
    expect(total(100)).toBe(model.orders.filter(({ record }) => record.price === 100).length);
    expect(total(110)).toBe(2);
    expect(live()).toHaveLength(model.open.length);
    expect(halts).toEqual([]);
  });

  it.each(MIXED)('are cancelled, each of them: %s', (_, fates) => {
    const { clock, live, model, orders, wish } = createMixed(delayMs, fates);
    clock.advanceBy(100);
    wish(quotes([[99, 1]], []));
    clock.advanceBy(180_000);
    expect(orders.unknownCount).toBe(0);
    expect(model.open.map(({ record }) => Number(record.price))).toEqual([99]);
    expect(live().map(({ price }) => Number(price))).toEqual([99]);
  });
});

describe.each([2, 20])('orders of two markets, mixed up so, pushes %s', (delayMs) => {
  it.each(MIXED)('book what each of them fills: %s', (_, fates) => {
    const { clock, filled, live, model, halts, orders, wish } = createMixed(delayMs, fates, [
      [100, 1],
    ]);
    wish(quotes([], [[110, 2]], { market: SECOND_MARKET.id }));
    clock.advanceBy(1_000);
    for (const order of model.open) model.fill(order);
    clock.advanceBy(240_000);
    expect(orders.unknownCount).toBe(0);
    const values = (of: readonly { record: { price: number; filledAmount: number } }[]) =>
      of.map(({ record }) => record.price * record.filledAmount).reduce((a, b) => a + b, 0);
    const booked = filled().reduce((sum, [at, amount]) => sum + at! * amount!, 0);
    expect(booked).toBe(values(model.orders));
    expect(live()).toHaveLength(model.open.length);
    expect(halts).toEqual([]);
  });
});
