/** Why risk says no: the codes of all refusals, in the order in which their checks are asked. */
export const REFUSAL_CODES = [
  'unknownMarket',
  'tradingState',
  'shape',
  'clientOrderId',
  'belowMinimum',
  'aboveMaximum',
  'staleData',
  'crossedBook',
  'collar',
  'postOnlyCross',
  'reducing',
  'selfCross',
  'duplicate',
  'openOrders',
  'openValue',
  'position',
  'balance',
  'unknownOrders',
  'heartbeat',
  'orderRate',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];
