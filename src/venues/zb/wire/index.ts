export { readAccount, readCoins } from './account.ts';
export { WireError } from './errors.ts';
export {
  BALANCES_CHANNEL,
  CHANNELS,
  isClosedStatus,
  ORDERS_CHANNEL,
  ordersMarketOf,
  orderTypeCodeOf,
  orderTypeOf,
} from './fields.ts';
export {
  balancesFrame,
  type FrameEvent,
  ordersFrame,
  PING,
  PONG,
  parseFrame,
  publicFrame,
} from './frames.ts';
export { HmacMd5 } from './hmac.ts';
export { parseJson } from './json.ts';
export {
  hasSymbolsOnly,
  readCandles,
  readDepth,
  readMarkets,
  readTicker,
  readTickers,
  readTrades,
} from './market-data.ts';
export { PUBLIC_PATHS, pathOf } from './methods.ts';
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
  signatureOf,
  signedFrameText,
  signedText,
  signingKeyOf,
} from './signing.ts';
