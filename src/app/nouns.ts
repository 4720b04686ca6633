export { INTERVALS, ORDER_TYPES, SIDES } from '../domain/index.ts';
export { Decimal, messageOf } from '../kernel/index.ts';
