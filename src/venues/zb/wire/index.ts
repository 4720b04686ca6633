export { readAccount, readCoin, readCoins } from './account.ts';
export { readAcknowledged } from './acknowledged.ts';
export { readAddress, readChainAddresses } from './addresses.ts';
export {
  type CallParameters,
  callParameters,
  type Json,
  type JsonFields,
  readAny,
} from './any-call.ts';
export { readBills } from './bills.ts';
export { readCrossAccount, readCrossCoins } from './cross.ts';
export { readDeposits } from './deposits.ts';
export { WireError } from './errors.ts';
export { readWithdrawalFees } from './fees.ts';
export {
  ALL_BALANCES_CHANNEL,
  ALL_ORDERS_CHANNEL,
  BALANCES_CHANNEL,
  CHANNELS,
  CROSS_BALANCES_CHANNEL,
  MARKETS_CHANNEL,
  ORDERS_CHANNEL,
  ordersMarketOf,
  orderTypeOf,
} from './fields.ts';
export {
  type FrameEvent,
  PING,
  PONG,
  type PrivateChannel,
  parseFrame,
  privateFrame,
  publicFrame,
  quickDepthFrame,
} from './frames.ts';
export {
  addressParameters,
  billsParameters,
  feesParameters,
  RECORDS_PAGE_SIZE,
  recordsParameters,
  withdrawParameters,
} from './funds-requests.ts';
export { HmacMd5 } from './hmac.ts';
export { readIsolatedAccount } from './isolated.ts';
export { parseJson } from './json.ts';
export {
  hasUnknownSymbols,
  readCandles,
  readDepth,
  readMarket,
  readMarkets,
  readTicker,
  readTrades,
  tickerReader,
} from './market-data.ts';
export { PUBLIC_PATHS, pathOf } from './methods.ts';
export { plainNumber } from './numbers.ts';
export {
  readCancelled,
  readOrder,
  readPlaced,
  readPlacedBatch,
  readPushedOrder,
} from './orders.ts';
export { envelopeOf, readAnswer, type WireAnswer } from './outcome.ts';
export { type QuickDepth, type QuickDepthLength, readQuickDepth } from './quick-depth.ts';
export { excerpt, type Fields, fieldsOf, isFields, listOf, timeOf } from './read.ts';
export { readConfidential, shownTarget } from './redaction.ts';
export {
  cancelAllAfterParameters,
  orderListParameters,
  ordersParameters,
  placeBatchParameters,
  placeParameters,
  referenceParameters,
  signedQuery,
  stateParameters,
  targetOf,
} from './requests.ts';
export {
  type SignedParameters,
  signatureOf,
  signedFrameText,
  signedText,
  signingKeyOf,
} from './signing.ts';
export { readWithdrawals, readWithdrawn } from './withdrawals.ts';
