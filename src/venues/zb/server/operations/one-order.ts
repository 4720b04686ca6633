import type { Market } from '../../../../domain/index.ts';
import { type CancelAnswer, CODES, type OrderReference } from '../../../../exchange/index.ts';
import { plainNumber } from '../../wire/numbers.ts';
import { enveloped, nestedSuccessBody, refuse, successBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import {
  customerOrderId,
  digits,
  market,
  optional,
  optionalWord,
  required,
} from '../parameters.ts';
import { renderOrder } from '../render/orders.ts';

/** The parameters that name one order. */
const referenceParameters = {
  currency: required(market),
  id: optional(digits),
  customerOrderId: optionalWord(customerOrderId),
};

/**
 * The order that a request names. Source: contract, "exactly one of id or customerOrderId".
 *
 * @throws {ExchangeFailure} with code 3005 when both or neither are given.
 */
function referenceOf(values: {
  readonly currency: Market;
  readonly id: string | undefined;
  readonly customerOrderId: string | undefined;
}): OrderReference {
  const { currency, id, customerOrderId: clientOrderId } = values;
  if (id !== undefined && clientOrderId === undefined) {
    return { market: currency.id, exchangeOrderId: id };
  }
  if (id === undefined && clientOrderId !== undefined) {
    return { market: currency.id, clientOrderId };
  }
  return refuse(CODES.invalidArguments, 'Invalid arguments: one of id and customerOrderId wanted');
}

/** Shows one order; of several with the same customerOrderId the newest. */
export const getOrder = signedOperation({
  name: 'getOrder',
  permission: 'orders',
  parameters: referenceParameters,
  handle: (values, { exchange }) => exchange.trading.order(referenceOf(values)),
  render: (order, { dialect }) => enveloped(renderOrder(order, dialect), dialect),
});

/** Cancels one order; of several with the same customerOrderId the newest. */
export const cancelOrder = signedOperation({
  name: 'cancelOrder',
  permission: 'orders',
  parameters: referenceParameters,
  handle: (values, { exchange }) => exchange.trading.cancel(referenceOf(values)),
  render: (answer, { dialect }) =>
    answer === undefined
      ? successBody(dialect)
      : nestedSuccessBody(dialect, renderCancelAnswer(answer)),
});

/** Source: contract, Cancel-order result fields; `completeMonty` is spelled so there. */
function renderCancelAnswer(answer: CancelAnswer): string {
  return (
    `{"amount":${plainNumber(answer.amount)},"price":${plainNumber(answer.price)}` +
    `,"completeMonty":${answer.filledValue},"completeAmount":${plainNumber(answer.filledAmount)}}`
  );
}
