export { INTERVALS, isClientOrderId, ORDER_TYPES, SIDES, timeOf } from '../domain/index.ts';
export { Decimal, messageOf, readMoment, stackOf, timeOfDay } from '../kernel/index.ts';
export { nearest } from './config/suggest.ts';
