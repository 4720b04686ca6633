import { isClientOrderId } from '../../domain/index.ts';
import type { Check } from '../review.ts';

/**
 * Ids must be new: the venue does not refuse a second order with the same id, it hides the first.
 */
export const clientOrderId: Check = {
  code: 'clientOrderId',
  scope: 'order',
  onOrder: ({ draft, view }) => {
    const id = draft.clientOrderId;
    const isNew = isClientOrderId(id) && view.orders.get(id) === undefined;
    if (isNew) return undefined;
    const limit = '4 to 36 letters or digits, never used before';
    return { limit, observed: id };
  },
};
