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
        'order first, so that only trades bring it forward; proportional: everybody by the ' +
        'same fraction.',
    ),
});
/** Settings of the depth model, every default resolved. */
export type DepthModelSettings = z.infer<typeof depthModelSchema>;

/** When an order fills under these settings, and what is not modelled: whole sentences. */
export function depthConfession({ queue }: DepthModelSettings): string[] {
  return [
    'An order that comes to rest queues up behind all that the recorded book shows at its price when ' +
      'it arrives, less what trades took from there while an own order waited before it; trades ' +
      'there by takers of the other side serve that queue first, then own orders, first come first ' +
      'served.',
    'A price beyond the deepest level that is recorded counts as empty: an order that comes to rest ' +
      'there, or is left there by a book that moves away and shows some levels alone, has nobody ' +
      'before it.',
    queue === 'conservative'
      ? 'What leaves a price without a trade leaves from behind an own order first: only trades, and ' +
        'a price with less left than waited before it, bring the order forward.'
      : 'What leaves a price without a trade leaves from before and from behind an own order, in ' +
        'proportion to what waits there.',
    'A trade beyond the price of a resting order ends the queue before it and fills the order, up to ' +
      'the amount of that trade; a recorded level of the other side that reaches its price fills it ' +
      'up to the amount of that level, whoever waits before it.',
    'An order that takes meets the real levels of the recorded book, best first; what it took does ' +
      'not come back before the recording names that level again.',
    'From a gap to the next whole book the recorded book is unknown: resting orders do not fill, keep ' +
      'their place in the queue, and orders that arrive take nothing and queue up behind what the last book ' +
      'showed.',
    'A trade and the smaller level that it leaves are two records. Where the trade comes first, as ' +
      'most feeds have it, the level only confirms it; where the level comes first, what waits before ' +
      'an own order shrinks by both, and the order may fill too soon by as much as that trade.',
    'Recordings may tell a trade behind later changes of the book. One that is stamped before an order ' +
      'reached the exchange does not fill it, nor shorten the queue before it; a level counts whatever ' +
      'its stamp, for it stands until it changes. An order that is withdrawn on the news of such a ' +
      'change is spared what the trade, told too late, would have filled of it.',
    'Strategies hear the recording: own orders are not in the book that they see, as they are in that ' +
      'of an exchange, what these took still stands in it, and own trades are none of those that are ' +
      'heard, nor in candles.',
    'Hidden orders, the order of events within one update of the book, and what own orders would have ' +
      'changed in the behaviour of others are not modelled.',
  ];
}
