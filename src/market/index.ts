export type { Print } from './candle-builder.ts';
export { type MarketConfig, marketConfigSchema } from './config.ts';
export {
  type CandleHistory,
  DirectStreams,
  type PastQuery,
  type PastRecords,
  type RecordedData,
} from './direct-streams.ts';
export { MarketDataError } from './errors.ts';
export { SpacedQueue } from './spaced-queue.ts';
export { MarketStreams } from './streams.ts';
export type { CandlesSelection, StreamsPort } from './streams-port.ts';
export { isCrossed, MarketView } from './view.ts';
