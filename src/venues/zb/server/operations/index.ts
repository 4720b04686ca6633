import { tableOf } from '../operation.ts';
import { getPayinAddress, getUserAddress, getWithdrawAddress } from './addresses.ts';
import { cancelAllOrdersAfter } from './cancel-all-orders-after.ts';
import { getAccountInfo } from './get-account-info.ts';
import { getFeeInfo } from './get-fee-info.ts';
import { getSpotBills } from './get-spot-bills.ts';
import { getCrossAssets, getLeverAssetsInfo, setExpressState, setRepayState } from './margin.ts';
import { cancelOrder, getOrder } from './one-order.ts';
import { order } from './order.ts';
import {
  getFinishedAndPartialOrders,
  getOrders,
  getOrdersIgnoreTradeType,
  getOrdersNew,
  getUnfinishedOrdersIgnoreTradeType,
} from './order-lists.ts';
import { orderMoreV2 } from './order-more-v2.ts';
import { getChargeRecord, getWithdrawRecord } from './records.ts';
import { withdraw } from './withdraw.ts';

/** Every signed operation of the exchange, by the last part of its path. */
export const SIGNED_OPERATIONS = tableOf([
  getAccountInfo,
  getSpotBills,
  getUserAddress,
  getPayinAddress,
  getWithdrawAddress,
  getWithdrawRecord,
  getChargeRecord,
  getFeeInfo,
  withdraw,
  order,
  orderMoreV2,
  cancelOrder,
  cancelAllOrdersAfter,
  getOrder,
  getOrders,
  getOrdersIgnoreTradeType,
  getUnfinishedOrdersIgnoreTradeType,
  getFinishedAndPartialOrders,
  getOrdersNew,
  getCrossAssets,
  getLeverAssetsInfo,
  setExpressState,
  setRepayState,
]);
