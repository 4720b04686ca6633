import { formatDuration } from '../../kernel/index.ts';
import type { Check } from '../review.ts';

/** The same order again within a moment is taken for a mistake. */
export const duplicate: Check = {
  code: 'duplicate',
  scope: 'strategy',
  onOrder: ({ draft, view, rules, nowMs }) => {
    const { duplicateWindowMs } = rules.limits;
    const live = view.orders.liveOf(draft.strategy, draft.market);
    if (live.length === 0) return undefined;
    const twin = live.find(
      (order) =>
        order.price === draft.price &&
        order.amount === draft.amount &&
        order.side === draft.side &&
        nowMs - order.createdTime < duplicateWindowMs,
    );
    if (twin === undefined) return undefined;
    return {
      limit: `once in ${formatDuration(duplicateWindowMs)}`,
      observed: `${twin.clientOrderId} was made ${formatDuration(nowMs - twin.createdTime)} ago`,
    };
  },
};
