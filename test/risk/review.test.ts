import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/domain/index.ts';
import {
  makeOrderIntent,
  makeQuotes,
  makeRisk,
  makeTarget,
  reviewIntent,
  reviewOrder,
} from './fixture.ts';

const live = [
  { amount: 1, tag: 'bid0' },
  { amount: 2, tag: 'other tag' },
  { amount: 4, strategy: 'other', tag: 'bid0' },
  { amount: 8, market: 'eth_usdt' },
];

/** The amount that counts as resting buys beside the wish, in base units. */
function besides(intent: Intent): number {
  return reviewIntent(makeRisk({ live }).view, intent).resting.buy.amountUnits / 10_000;
}

describe('IntentReview.resting', () => {
  it('leaves out what the wish replaces', () => {
    expect(besides(makeQuotes([99], []))).toBe(4);
    expect(besides(makeTarget(1))).toBe(4);
    expect(besides(makeOrderIntent({ tag: 'bid0' }))).toBe(6);
    expect(besides(makeOrderIntent({ tag: 'new' }))).toBe(7);
  });
});

describe('OrderReview.resting', () => {
  it('counts every live order of the market by what it may still fill', () => {
    const { view } = makeRisk({ live: [...live, { amount: 1, filled: 0.75, status: 'unknown' }] });
    expect(reviewOrder(view).resting.buy.amountUnits).toBe(72_500);
    expect(reviewOrder(view).resting.count).toBe(4);
  });

  it('rounds up what a coarser scale cannot hold', () => {
    const risk = makeRisk({ live: [{ price: 90.05, amount: 1.0001, filled: 0.4999 }] });
    const coarse = { ...risk.view.markets.get('btc_usdt')!, priceScale: 1, amountScale: 1 };
    (risk.view.markets as Map<string, typeof coarse>).set('btc_usdt', coarse);
    const { buy } = reviewOrder(risk.view).resting;
    expect([buy.highestPriceUnits, buy.amountUnits]).toEqual([901, 7]);
  });
});
