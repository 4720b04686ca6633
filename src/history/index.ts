export type {
  LevelChange,
  MarketRecord,
  RecordedBook,
  RecordedGap,
  RecordedLevels,
  RecordedTrade,
} from '../domain/index.ts';
export type { ByteSource } from './bytes.ts';
export {
  type DepthDiff,
  type DepthRecord,
  type DepthSnapshot,
  DepthSynchronizer,
} from './depth-synchronizer.ts';
export { HistoryError } from './errors.ts';
export { detectFormat, type RecordingFormat } from './format.ts';
export { inferMarketId } from './market-name.ts';
export { type BookTicker, type RawMessage, readRawMessage } from './raw.ts';
export { describeRecording, openRecording, type RecordingDescription } from './recording.ts';
export { inferScales, type Scales } from './scales.ts';
