export { type CheckOptions, type CheckReport, checkDataset } from './check/check.ts';
export { FAULT_MEANINGS, type Finding, isFault } from './check/report.ts';
export { diskTrouble, fullText, isDiskFull } from './disk-trouble.ts';
export { HistoryError } from './errors.ts';
export { amountUnitNote } from './formats/amount-unit.ts';
export { isContractSize } from './formats/contract-size.ts';
export { MissingColumnError, mappingSchema } from './formats/mapping.ts';
export { makeFolder } from './make-folder.ts';
export { requireFile } from './require-file.ts';
export {
  amountUnitsOf,
  type Dataset,
  type DatasetKey,
  datasetNames,
  requireDataset,
} from './store/catalogue.ts';
export type { OverlapRule } from './store/commit/commit.ts';
export type { Scales } from './store/commit/scales.ts';
export { type DatasetRow, DatasetWriter } from './store/commit/writer.ts';
export { type ImportOptions, importFiles } from './store/import/import-files.ts';
export type { ImportResult } from './store/import/import-staged.ts';
export { interruptionOr } from './store/interruption.ts';
export { type DatasetKind, DEPTH_EVENTS } from './store/kinds.ts';
export type { Gap } from './store/manifest.ts';
export {
  EXPORT_FORMATS,
  type Exported,
  type ExportFormat,
  type ExportOptions,
  exportDataset,
} from './store/read/export.ts';
export { OPENING_UPDATE, openingBook } from './store/read/opening-book.ts';
export { type PriceRange, priceRangeOf } from './store/read/price-range.ts';
export { type Chunk, type DatasetOf, openScan } from './store/read/scan.ts';
export { hasQuoteAmounts, standingQuote } from './store/read/standing-quote.ts';
export { writeColumns } from './store/read/write-columns.ts';
export { removeDatasets } from './store/remove.ts';
export { type ResampleOptions, resample } from './store/resample.ts';
export { resolutionMs } from './store/resolution.ts';
export { makeWorkFolder, removeLeft, withWorkFolder } from './store/work-folder.ts';
