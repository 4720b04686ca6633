import { describe, expect, it } from 'vitest';
import type { TargetIntent } from '../../../src/domain/index.ts';
import { TargetWish } from '../../../src/execution/desk/target-wish.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { createOrder } from './orders.ts';

function createWish(position: number, former?: TargetWish): TargetWish {
  const intent: TargetIntent = { kind: 'target', market: 'btc_usdt', position, slippage: 0 };
  return new TargetWish(intent, { former, wishedMs: 0 });
}

const BOUGHT = { held: Decimal.of(3), moved: Decimal.of(1) };

describe('TargetWish', () => {
  it('goes on where the same target stood, and begins anew behind another one', () => {
    const former = createWish(2);
    former.stopsAtFlat = true;
    expect(createWish(2, former).stopsAtFlat).toBe(true);
    expect(createWish(-2, former).stopsAtFlat).toBe(false);
  });

  it('is moved by an order by a tag once it is reached', () => {
    const wish = createWish(2);
    wish.isReached = true;
    wish.move('tagged', BOUGHT);
    expect(wish.wanted.toString()).toBe('3');
  });

  it('is moved by no order that was taken back, until it is wished again', () => {
    const wish = createWish(2);
    wish.isReached = true;
    const order = createOrder({ at: 100 });
    wish.takeBack(order);
    wish.move(order.clientOrderId, BOUGHT);
    expect(wish.wanted.toString()).toBe('2');
    wish.takeUp(order.clientOrderId);
    wish.move(order.clientOrderId, BOUGHT);
    expect(wish.wanted.toString()).toBe('3');
  });
});
