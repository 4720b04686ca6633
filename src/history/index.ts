export { type CheckReport, checkDataset } from './check/check.ts';
export { FAULT_MEANINGS, type Finding } from './check/report.ts';
export { diskTrouble, fullText, isDiskFull } from './disk-trouble.ts';
export { HistoryError } from './errors.ts';
export { isContractSize } from './formats/contract-size.ts';
export { MissingColumnError, mappingSchema } from './formats/mapping.ts';
export { describeRecording, openRecording, type RecordingDescription } from './recording.ts';
export type { Scales } from './scales.ts';
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
export { type Chunk, type DatasetOf, openScan } from './store/scan.ts';
export { removeLeft } from './store/work-folder.ts';
export { writeColumns } from './store/write-columns.ts';
export { type DatasetRow, DatasetWriter } from './store/writer.ts';
