import { amountDecimal, priceDecimal } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import type { WishedOrder } from '../exposure.ts';
import { referenceOf } from '../reference.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';
import { ofEachOpening } from './each.ts';

/**
 * Bounds what an order that opens, grows or turns a position loses at once if all of it fills at
 * its own price, compared with the reference price and without fees. The orders of a target are
 * asked when they leave. Without a reference price, `collar` has refused before.
 */
export function fillLoss(view: RiskView): Check {
  const check = { code: 'fillLoss', scope: 'order' } as const;
  const isAsked = isSetAnywhere(view.config, 'fillLossMax');
  return isAsked ? { ...check, ask: ofEachOpening(objectionTo) } : check;
}

function objectionTo({ side, price, amount }: WishedOrder, review: Review): Objection | undefined {
  const { market, limits } = review.rules;
  const { fillLossMax } = limits;
  const reference = referenceOf(review);
  if (fillLossMax === undefined || reference === undefined) return undefined;
  const above = priceDecimal(market, price).minus(Decimal.of(reference));
  const worse = side === 'buy' ? above : above.negated();
  const loss = worse.times(amountDecimal(market, amount));
  if (loss.compare(Decimal.of(fillLossMax)) <= 0) return undefined;
  const where = side === 'buy' ? 'above' : 'below';
  return {
    limit: `at most ${fillLossMax} ${market.quote} lost as it fills`,
    observed: `${loss} ${market.quote}, ${worse} ${where} ${reference} for ${amount} ${market.base}`,
  };
}
