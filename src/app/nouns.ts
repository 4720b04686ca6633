export {
  INTERVALS,
  intervalNamed,
  isClientOrderId,
  ORDER_TYPES,
  SIDES,
  timeOf,
} from '../domain/index.ts';
export {
  Decimal,
  messageOf,
  readDuration,
  readMoment,
  stackOf,
  timeOfDay,
} from '../kernel/index.ts';
export { nearest } from './config/suggest.ts';
