export { readAccount, readCoins } from './account.ts';
export { WireError } from './errors.ts';
export {
  BALANCES_CHANNEL,
  CHANNELS,
  isClosedStatus,
  ORDER_TYPE_PARAMETERS,
  ORDERS_CHANNEL,
  ordersMarketOf,
  orderTypeCodeOf,
  orderTypeOf,
  sideOf,
  symbolOf,
  tradeTypeOf,
} from './fields.ts';
export {
  balancesFrame,
  type FrameEvent,
  type FrameSigner,
  ordersFrame,
  PING,
  PONG,
  parseFrame,
  publicFrame,
} from './frames.ts';
export { parseJson } from './json.ts';
export {
  compareIds,
  hasSymbolsOnly,
  type Reception,
  readCandles,
  readDepth,
  readMarkets,
  readTicker,
  readTickers,
  readTrades,
} from './market-data.ts';
export { isMethod, METHODS, type Method, PUBLIC_PATHS, pathOf } from './methods.ts';
export { plainNumber } from './numbers.ts';
export {
  readAcknowledged,
  readCancelled,
  readOrder,
  readOrders,
  readPlaced,
  readPlacedBatch,
  readPushedOrder,
} from './orders.ts';
export { envelopeOf, kindOf, readAnswer, type WireAnswer } from './outcome.ts';
export { excerpt, type Fields, fieldsOf, isFields, listOf, timeOf } from './read.ts';
export {
  cancelAllAfterParameters,
  isClientOrderId,
  type MethodParameters,
  ordersParameters,
  placeBatchParameters,
  placeParameters,
  referenceParameters,
  targetOf,
} from './requests.ts';
export {
  type Parameters,
  signatureOf,
  signedFrameText,
  signedText,
  signingKeyOf,
} from './signing.ts';
