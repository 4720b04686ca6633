import { enveloped } from '../answers.ts';
import { signedOperation } from '../operation.ts';
import { renderOrder } from '../render/orders.ts';
import { referenceOf, referenceParameters } from './reference.ts';

/** Shows one order; of several with one customerOrderId the newest. */
export const getOrder = signedOperation({
  name: 'getOrder',
  permission: 'orders',
  parameters: referenceParameters,
  handle: (values, { exchange }) => exchange.trading.order(referenceOf(values)),
  render: (order, { dialect }) => enveloped(renderOrder(order, dialect), dialect),
});
