import { describe, expect, it } from 'vitest';
import { exceeds, openAmount } from '../../../src/execution/desk/open-amount.ts';
import { createOrder } from './orders.ts';

describe('openAmount', () => {
  it('is what of an order is not filled', () => {
    expect(openAmount(createOrder({ at: 100, size: 3, filled: 1 }))).toBe(2);
  });
});

describe('exceeds', () => {
  it('takes no float noise for more', () => {
    expect(exceeds(0.1 + 0.2, 0.3)).toBe(false);
    expect(exceeds(0.300_000_01, 0.3)).toBe(true);
  });
});
