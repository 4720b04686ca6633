export { type MarketConfig, marketConfigSchema } from './config.ts';
export { MarketDataError } from './errors.ts';
export { MarketStreams } from './streams.ts';
export { isCrossed, MarketView } from './view.ts';
