import type { CancelAnswer } from '../../../../exchange/index.ts';
import { plainNumber } from '../../wire/numbers.ts';
import { nestedSuccessBody, successBody } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { referenceOf, referenceParameters } from './reference.ts';

/** Cancels one order; of several with one customerOrderId the newest. */
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
