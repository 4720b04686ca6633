import type { Market } from '../../../../domain/index.ts';
import { CODES, type OrderReference } from '../../../../exchange/index.ts';
import { refuse } from '../answers.ts';
import {
  customerOrderId,
  digits,
  market,
  optional,
  optionalWord,
  required,
} from '../parameters.ts';

/** The parameters that name one order. */
export const referenceParameters = {
  currency: required(market),
  id: optional(digits),
  customerOrderId: optionalWord(customerOrderId),
};

/**
 * The order that is meant. Source: contract, "exactly one of id or customerOrderId".
 *
 * @throws {ExchangeFailure} with code 3005 when both or neither are given.
 */
export function referenceOf(values: {
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
