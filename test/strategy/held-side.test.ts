import { BehaviorSubject, Subject } from 'rxjs';
import { expect, it } from 'vitest';
import type { Fill, Position } from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { heldSide } from '../../src/strategy/held-side.ts';
import { scriptedFill, scriptedMarket, scriptedPosition } from '../../src/strategy/index.ts';

const at = (amount: number): Position => scriptedPosition({ time: 0, amount, price: 100 }).position;
const bought = (clientOrderId: string, fee: number): Fill => ({
  ...scriptedFill({ time: 0, side: 'buy', price: 100, amount: 1, clientOrderId }).fill,
  fee: Decimal.of(fee),
});

it('heldSide takes no rest for a short position between a fill and the position behind it', () => {
  const position = new BehaviorSubject(at(-10));
  const fills = new Subject<Fill>();
  const seen: number[] = [];
  const context = { position: () => position, fills: () => fills };
  heldSide(context, scriptedMarket).subscribe((side) => seen.push(side));
  fills.next(bought('back', 0.02));
  position.next(at(-0.02));
  fills.next(bought('anew', 0.01));
  position.next(at(4.97));
  expect(seen).toEqual([-1, 0, 1]);
});
