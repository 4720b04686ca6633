import { tableOf } from '../operation.ts';
import { cancelAllOrdersAfter } from './cancel-all-orders-after.ts';
import { cancelOrder } from './cancel-order.ts';
import { getAccountInfo } from './get-account-info.ts';
import { getOrder } from './get-order.ts';
import { getOrders } from './get-orders.ts';
import { order } from './order.ts';
import { orderMoreV2 } from './order-more-v2.ts';

/** Every signed operation of the exchange, by the name that its path ends with. */
export const SIGNED_OPERATIONS = tableOf([
  getAccountInfo,
  order,
  orderMoreV2,
  cancelOrder,
  cancelAllOrdersAfter,
  getOrder,
  getOrders,
]);
