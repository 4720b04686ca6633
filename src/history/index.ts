export type {
  LevelChange,
  MarketRecord,
  RecordedBook,
  RecordedGap,
  RecordedLevels,
  RecordedTrade,
} from '../domain/index.ts';
export type { ByteSource } from './bytes.ts';
export { BestPrices } from './check/best-prices.ts';
export { type CheckReport, checkDataset } from './check/check.ts';
export {
  FAULT_MEANINGS,
  type Fault,
  type FaultPlace,
  type Finding,
} from './check/report.ts';
export {
  type DepthDiff,
  type DepthRecord,
  type DepthSnapshot,
  DepthSynchronizer,
} from './depth-synchronizer.ts';
export { diskTrouble, fullText, isDiskFull } from './disk-trouble.ts';
export { HistoryError } from './errors.ts';
export { detectFormat, type RecordingFormat } from './format.ts';
export { isContractSize } from './formats/contract-size.ts';
export { type Mapping, MissingColumnError, mappingSchema } from './formats/mapping.ts';
export { inferMarketId } from './market-name.ts';
export { type BookTicker, type RawMessage, readRawMessage } from './raw.ts';
export { describeRecording, openRecording, type RecordingDescription } from './recording.ts';
export { inferScales, type Scales } from './scales.ts';
export {
  amountUnitsOf,
  type Dataset,
  type DatasetKey,
  datasetNames,
  listDatasets,
  requireDataset,
} from './store/catalogue.ts';
export type { OverlapRule } from './store/commit.ts';
export {
  EXPORT_FORMATS,
  type Exported,
  type ExportFormat,
  type ExportOptions,
  exportDataset,
} from './store/export.ts';
export { type ImportOptions, importFiles } from './store/import.ts';
export type { ImportResult } from './store/import-staged.ts';
export { type DatasetKind, DEPTH_EVENTS } from './store/kinds.ts';
export type { Gap } from './store/manifest.ts';
export { openingBook } from './store/opening-book.ts';
export { type PriceRange, priceRangeOf } from './store/price-range.ts';
export { removeDatasets } from './store/remove.ts';
export { type ResampleOptions, resample } from './store/resample.ts';
export { type Chunk, type DatasetOf, openScan, type ScanOptions } from './store/scan.ts';
export { removeLeft } from './store/work-folder.ts';
export { type WrittenColumns, writeColumns } from './store/write-columns.ts';
export {
  type Addition,
  type DatasetRow,
  DatasetWriter,
  type WriterOptions,
} from './store/writer.ts';
