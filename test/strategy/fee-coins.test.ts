import { describe, expect, it } from 'vitest';
import type { Fill } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { FeeCoins } from '../../src/strategy/fee-coins.ts';
import { scriptedFill, scriptedMarket, scriptedPosition } from '../../src/strategy/index.ts';

const bought = (fee: number, told: Partial<Fill> = {}): Fill => ({
  ...scriptedFill({ time: 0, side: 'buy', price: 100, amount: 1 }).fill,
  fee: Decimal.of(fee),
  ...told,
});

describe('FeeCoins', () => {
  it.each([
    ['what all fills of the newest order left', [bought(1), bought(2)], -3, 0],
    ['what older orders left', [bought(1), bought(2, { clientOrderId: 'newer' })], -3, 1],
    ['fees in the other currency', [bought(3, { feeCurrency: 'usdt' })], -3, 3],
    ['a long position', [bought(3)], 5, 5],
  ])('tells the size beside %s', (_what, fills, amount, size) => {
    const coins = new FeeCoins(scriptedMarket);
    for (const fill of fills) coins.note(fill);
    expect(coins.sizeOf(scriptedPosition({ time: 0, amount }).position)).toBe(size);
  });
});
