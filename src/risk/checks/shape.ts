import {
  isAmount,
  isPrice,
  type Market,
  ORDER_TYPES,
  type OrderType,
  SIDES,
  type TargetIntent,
} from '../../domain/index.ts';
import { isOnScale, multipleText } from '../../kernel/index.ts';
import type { WishedOrder } from '../exposure.ts';
import type { Check, Objection } from '../review.ts';
import { ofEach } from './each.ts';

const ofOrders = ofEach((order, { rules }) => orderShape(order, rules.market));

/** Prices and amounts must be finite, positive and on scale; sides and types must exist. */
export const shape: Check = {
  code: 'shape',
  scope: 'order',
  ask: (review) => {
    const { single, target, rules } = review;
    if (target !== undefined) return targetShape(target, rules.market);
    return (single && typeShape(single.type)) ?? ofOrders(review);
  },
};

function typeShape(type: OrderType): Objection | undefined {
  if (ORDER_TYPES.includes(type)) return undefined;
  return objection(`one of ${ORDER_TYPES.join(', ')}`, `type ${type}`);
}

function orderShape({ side, price, amount }: WishedOrder, market: Market): Objection | undefined {
  if (!SIDES.includes(side)) return objection(`one of ${SIDES.join(', ')}`, `side ${side}`);
  if (!isPrice(market, price))
    return objection(scaleText(price, market.priceScale), `price ${price}`);
  if (!isAmount(market, amount))
    return objection(scaleText(amount, market.amountScale), `amount ${amount}`);
  return undefined;
}

function targetShape(target: TargetIntent, market: Market): Objection | undefined {
  const { position, priceLimit, slippage } = target;
  if (!isOnScale(position, market.amountScale)) {
    return objection(`a ${multipleText(position, market.amountScale)}`, `position ${position}`);
  }
  if (priceLimit !== undefined && !isPrice(market, priceLimit)) {
    return objection(scaleText(priceLimit, market.priceScale), `price limit ${priceLimit}`);
  }
  const isFraction = slippage >= 0 && slippage < 1;
  return isFraction ? undefined : objection('from 0 to below 1', `slippage ${slippage}`);
}

function scaleText(value: number, scale: number): string {
  return `a positive ${multipleText(value, scale)}`;
}

function objection(limit: string, observed: string): Objection {
  return { limit, observed };
}
