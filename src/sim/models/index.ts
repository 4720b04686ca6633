export { behindBrokenLine } from './broken-line.ts';
export { type CandlePath, CandlesModel } from './candles.ts';
export { type CandlesModelSettings, candlesModelSchema } from './candles-config.ts';
export { DepthModel } from './depth.ts';
export { type DepthModelSettings, depthModelSchema } from './depth-config.ts';
export { DepthFeed, type DepthFeedOptions } from './depth-feed.ts';
export { type HeldMarket, HeldOrders } from './held-orders.ts';
export { type LatencyModel, openLatency, type StatedLatency } from './latency.ts';
export {
  type FeedLatencySettings,
  feedLatencySchema,
  type OrderLatencySettings,
  orderLatencySchema,
} from './latency-config.ts';
export { DelayLine } from './latency-line.ts';
export { behindLatency } from './latency-order.ts';
export { type RecordedLatency, StampSurvey } from './latency-recorded.ts';
export { type LatencySamples, readLatencySamples } from './latency-samples.ts';
export type { FillModel, ModelledMarket, Run } from './model.ts';
export { quotesModelSchema } from './quotes-config.ts';
export { TradesModel } from './trades.ts';
export { type TradesModelSettings, tradesModelSchema } from './trades-config.ts';
export { TradesFeed } from './trades-feed.ts';
