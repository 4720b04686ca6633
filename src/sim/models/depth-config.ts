import { z } from 'zod';
import { LEAVERS } from './queue.ts';

/** How orders fill where the book is recorded level by level, with the trades between. */
export const depthModelSchema = z.strictObject({
  model: z.literal('depth').describe('From the recorded book and its trades.'),
  queue: z
    .enum(LEAVERS)
    .default('proportional')
    .describe(
      'Who left if a queue gets shorter without a trade. conservative: those behind an own ' +
        'order first, then those ahead of it; proportional: everybody by the same fraction.',
    ),
});
/** Settings of the depth model, every default resolved. */
export type DepthModelSettings = z.infer<typeof depthModelSchema>;

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function depthConfession({ queue }: DepthModelSettings): string[] {
  return [
    'A new resting order queues behind the amount that the recorded book shows at its price when ' +
      'it arrives, less what trades have taken there while an earlier own order waited. Trades ' +
      'at that price by takers of the other side serve that queue first, then own orders, first ' +
      'come first served.',
    'Prices beyond the deepest recorded level count as empty: an order that rests there, because ' +
      'it was placed there or because a book that shows only some levels moved away, has nobody ' +
      'ahead of it.',
    queue === 'conservative'
      ? 'What leaves a price without a trade leaves from behind an own order first: the order ' +
        'moves forward only by trades, or when less is left at its price than waited ahead of it.'
      : 'What leaves a price without a trade leaves from ahead of and behind an own order, in ' +
        'proportion to what waits there.',
    'A trade beyond the price of a resting order clears the queue ahead of it and fills the ' +
      'order, up to the amount of that trade; a recorded level of the other side that reaches ' +
      'its price fills it up to the amount of that level, whoever waits ahead of it.',
    'An order that takes meets the real levels of the recorded book, best first; what it takes ' +
      'does not come back before the recording names that level again.',
    'From a gap to the next whole book the recorded book is unknown: resting orders do not fill ' +
      'and keep their place in the queue; new orders take nothing and queue behind what the last ' +
      'book showed.',
    'A trade and the smaller level that it leaves are two records. If the trade comes first, as ' +
      'in most feeds, the level only confirms it. If the level comes first, the queue ahead of ' +
      'an own order shrinks by both, and the order may fill too soon by the amount of that trade.',
    'Recordings may list a trade after later changes of the book. A trade stamped before an ' +
      'order reached the exchange neither fills it nor shortens the queue ahead of it; a level ' +
      'counts whatever its stamp, because it stands until it changes. An order withdrawn on the ' +
      'news of such a change escapes the fill that the late trade would have been.',
    'Strategies hear the recording: unlike on an exchange, own orders are not in the book that ' +
      'they see, what own orders took still stands in it, and own trades are neither heard nor ' +
      'counted in candles.',
    'Hidden orders, the order of events within one update of the book, and how others would have ' +
      'reacted to own orders are not modelled.',
  ];
}
