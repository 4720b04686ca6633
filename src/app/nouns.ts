export { INTERVALS, ORDER_TYPES, SIDES } from '../domain/index.ts';
export { Decimal, messageOf, stackOf, timeOfDay } from '../kernel/index.ts';
