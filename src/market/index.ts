export type { Print } from './candles/candle-builder.ts';
export { eachOnce } from './candles/each-once.ts';
export { type MarketConfig, marketConfigSchema } from './config.ts';
export {
  DirectStreams,
  type PastQuery,
  type PastRecords,
  type RecordedData,
} from './direct-streams.ts';
export { SpacedQueue } from './spaced-queue.ts';
export { MarketStreams } from './streams.ts';
export type { StreamsPort } from './streams-port.ts';
export { MarketView } from './view.ts';
