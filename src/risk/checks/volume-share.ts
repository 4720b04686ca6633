import { amountDecimal } from '../../domain/index.ts';
import { Decimal, formatDuration } from '../../kernel/index.ts';
import { isSetAnywhere } from '../config.ts';
import type { WishedOrder } from '../exposure.ts';
import type { Check, Objection, Review, RiskView } from '../review.ts';
import { TradedVolume } from '../traded-volume.ts';
import { ofEachOpening } from './each.ts';

/**
 * An order that opens, grows or turns a position may trade no more than a fraction of the market's
 * recent volume: more would move the price, and could not be sold again. The orders of a target are
 * asked when they leave.
 */
export function volumeShare(view: RiskView): Check {
  const check = { code: 'volumeShare', scope: 'order' } as const;
  if (!isSetAnywhere(view.config, 'volumeShareMax')) return check;
  const traded = new TradedVolume(view);
  return {
    ...check,
    hearsTrades: ({ volumeShareMax }) => volumeShareMax !== undefined,
    ask: ofEachOpening((order, review) => objectionTo(order, { review, traded })),
  };
}

function objectionTo(
  { amount }: WishedOrder,
  { review, traded }: { readonly review: Review; readonly traded: TradedVolume },
): Objection | undefined {
  const { market, limits } = review.rules;
  const { volumeShareMax, volumeWindowMs } = limits;
  if (volumeShareMax === undefined) return undefined;
  const volume = traded.of(market.id);
  const most = volume.times(Decimal.of(volumeShareMax));
  if (amountDecimal(market, amount).compare(most) <= 0) return undefined;
  return {
    limit: `at most ${volumeShareMax} of what was traded in ${formatDuration(volumeWindowMs)}`,
    observed: `${amount} ${market.base} beside ${volume} ${market.base} traded`,
  };
}
