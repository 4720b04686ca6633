import type { Amount, OrderRecord, Price } from '../../../domain/index.ts';
import { ACCOUNT_TYPES, type BatchAnswer, type CancelAnswer } from '../../../exchange/index.ts';
import { Decimal } from '../../../kernel/index.ts';
import { acknowledged, SUCCESS_MESSAGE } from './acknowledged.ts';
import { isClosedStatus, orderTypeOf, symbolOf } from './fields.ts';
import {
  decimalOf,
  type Fields,
  fieldsOf,
  idOf,
  illegible,
  isFields,
  listOf,
  numberOf,
  sizeOf,
  timeOf,
} from './read.ts';

/** The answer of `order`: the exchange's id. @throws {WireError} */
export function readPlaced(json: unknown): { readonly exchangeOrderId: string } {
  return { exchangeOrderId: idOf(acknowledged(json).id, 'id of the order') };
}

/**
 * The answer of `orderMoreV2` to so many orders: the ids of those taken, empty places left out. If
 * there are fewer, the exchange's message may say why, unless it is that of every success.
 *
 * @throws {WireError}
 */
export function readPlacedBatch(json: unknown, orderCount: number): BatchAnswer {
  const answer = acknowledged(json);
  const ids = listOf(dataOf(answer), 'ids of the orders');
  const taken = ids.filter((id) => id !== null && id !== '' && id !== 0);
  const exchangeOrderIds = taken.map((id) => idOf(id, 'id of an order'));
  const { message } = answer;
  const isTold = typeof message === 'string' && message !== '' && message !== SUCCESS_MESSAGE;
  return isTold && taken.length < orderCount
    ? { exchangeOrderIds, remark: message }
    : { exchangeOrderIds };
}

function dataOf({ data, message }: Fields): unknown {
  return data ?? (isFields(message) ? message.datas : undefined);
}

/**
 * The answer of `cancelOrder`: totals beside `code`, or nested in `message.datas`; undefined if it
 * has none. Source: contract, cancelOrder and Cancel-order result fields.
 *
 * @throws {WireError}
 */
export function readCancelled(json: unknown): CancelAnswer | undefined {
  const answer = acknowledged(json);
  const nested = isFields(answer.message) ? answer.message.datas : undefined;
  const totals = isFields(nested) ? nested : answer;
  if (totals.completeAmount === undefined) return undefined;
  return {
    amount: sizeOf(totals.amount, 'amount') as Amount,
    price: sizeOf(totals.price, 'price') as Price,
    filledAmount: sizeOf(totals.completeAmount, 'completeAmount') as Amount,
    filledValue: decimalOf(totals.completeMonty, 'completeMonty'),
  };
}

/** The record of one order of `market`. @throws {WireError} */
export function readOrder(json: unknown, market: string): OrderRecord {
  const fields = fieldsOf(json, 'order');
  const code = numberOf(fields.type, "order's type");
  const status = numberOf(fields.status, "order's status");
  const named = String(fields.currency).toLowerCase();
  if (symbolOf(named) !== symbolOf(market)) illegible("order's currency", named, market);
  return {
    market,
    exchangeOrderId: idOf(fields.id, "order's id"),
    ...(orderTypeOf(code) ?? illegible("order's type", code, '0 to 5')),
    price: sizeOf(fields.price, "order's price") as Price,
    amount: sizeOf(fields.total_amount, "order's total_amount") as Amount,
    filledAmount: sizeOf(fields.trade_amount, "order's trade_amount") as Amount,
    filledValue: decimalOf(fields.trade_money, "order's trade_money"),
    closed: isClosedStatus(status) ?? illegible("order's status", status, '0 to 3'),
    exchangeTime: timeOf(fields.trade_date, "order's trade_date"),
    ...feeOf(fields),
    ...accountTypeOf(fields),
  };
}

/** The account that pays, if the record has it. Source: wire facts, getOrders. */
function accountTypeOf({ acctType }: Fields): Pick<OrderRecord, 'accountType'> {
  if (acctType === undefined || acctType === null || acctType === '') return {};
  const told = numberOf(acctType, "order's acctType");
  const accountType = ACCOUNT_TYPES.find((type) => type === told);
  return { accountType: accountType ?? illegible("order's acctType", told, '0, 1 or 2') };
}

/**
 * The fee, if the record has it. A fee paid by deduction took nothing from what was traded. If the
 * venue's own coin was only meant to pay it, nobody knows whether it did.
 */
function feeOf({ fees, deductedFee, useZbFee }: Fields): { readonly fee?: Decimal } {
  if (deductedFee === true) return { fee: Decimal.ZERO };
  if (fees === undefined || fees === null || fees === '' || useZbFee === true) return {};
  return { fee: decimalOf(fees, "order's fees") };
}

/** Places in the flat array of a pushed order. Source: wire facts, WebSocket. */
const PUSHED = {
  id: 0,
  price: 1,
  amount: 2,
  filledAmount: 3,
  filledValue: 4,
  type: 5,
  time: 6,
  status: 7,
  tradeId: 13,
  tradePrice: 14,
  tradeAmount: 15,
  tradeTime: 16,
} as const;

/**
 * The record of a pushed order: a flat array whose last place is 12 or, since 2021-09-18, 16. What
 * its fee means is disputed, so that it is not read.
 *
 * @throws {WireError}
 */
export function readPushedOrder(value: unknown, market: string): OrderRecord {
  const row = listOf(value, 'pushed order');
  const code = numberOf(row[PUSHED.type], "order's type");
  const { type, side } = orderTypeOf(code) ?? illegible("order's type", code, '0 to 5');
  const status = numberOf(row[PUSHED.status], "order's status");
  const lastTrade = lastTradeOf(row);
  const record = {
    market,
    exchangeOrderId: idOf(row[PUSHED.id], "order's id"),
    type,
    side,
    price: sizeOf(row[PUSHED.price], "order's price") as Price,
    amount: sizeOf(row[PUSHED.amount], "order's amount") as Amount,
    filledAmount: sizeOf(row[PUSHED.filledAmount], "order's filled amount") as Amount,
    filledValue: decimalOf(row[PUSHED.filledValue], "order's filled money"),
    closed: isClosedStatus(status) ?? illegible("order's status", status, '0 to 3'),
    exchangeTime: timeOf(row[PUSHED.time], "order's time"),
  };
  return lastTrade === undefined ? record : { ...record, lastTrade };
}

/** The newest trade of a pushed order; one that has not traded has no id there, 0 or ''. */
function lastTradeOf(row: readonly unknown[]): OrderRecord['lastTrade'] {
  const id = row[PUSHED.tradeId];
  if (id === undefined || id === null || id === '' || Number(id) === 0) return undefined;
  return {
    id: idOf(id, "trade's id"),
    price: sizeOf(row[PUSHED.tradePrice], "trade's price"),
    amount: sizeOf(row[PUSHED.tradeAmount], "trade's amount"),
    time: timeOf(row[PUSHED.tradeTime], "trade's time"),
  };
}
