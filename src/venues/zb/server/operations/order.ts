import type { OrderType } from '../../../../domain/index.ts';
import { successBody } from '../answers.ts';
import { readAmount, readPrice } from '../money.ts';
import { signedOperation } from '../operation.ts';
import {
  accountType,
  customerOrderId,
  defaulting,
  flag,
  isSet,
  market,
  optionalWord,
  type Reader,
  required,
  side,
  text,
} from '../parameters.ts';

/** 1 PostOnly, 2 IOC; anything else is a limit order. Source: contract, `orderType`. */
const orderType: Reader<OrderType> = (value) => {
  if (value === '1') return 'postOnly';
  return value === '2' ? 'ioc' : 'limit';
};

/**
 * Places one order.
 *
 * The permission for orders covers those on the margin accounts too. An order that borrows or
 * repays also needs the permission for margin; without it the account's switches do not act on an
 * order either. Source: contract, Authentication 4.
 */
export const order = signedOperation({
  name: 'order',
  permission: 'orders',
  alsoNeeds: (query) =>
    isSet(query.get('enableExpress')) || isSet(query.get('enableRepay')) ? 'margin' : undefined,
  parameters: {
    currency: required(market),
    tradeType: required(side),
    price: required(text),
    amount: required(text),
    acctType: defaulting(accountType, 0),
    enableExpress: defaulting(flag, false),
    enableRepay: defaulting(flag, false),
    orderType: defaulting(orderType, 'limit'),
    customerOrderId: optionalWord(customerOrderId),
  },
  handle: (values, { exchange }) => {
    const { currency } = values;
    return exchange.trading.place({
      market: currency.id,
      side: values.tradeType,
      type: values.orderType,
      price: readPrice(currency, values.price),
      amount: readAmount(currency, values.amount),
      accountType: values.acctType,
      borrow: values.enableExpress,
      repay: values.enableRepay,
      clientOrderId: values.customerOrderId,
    });
  },
  render: ({ exchangeOrderId }, { dialect }) => successBody(dialect, `"id":"${exchangeOrderId}"`),
});
