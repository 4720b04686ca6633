export {
  amountUnitsOf,
  type CheckReport,
  type Dataset,
  EXPORT_FORMATS,
  type Exported,
  type ExportFormat,
  FAULT_MEANINGS,
  type Finding,
  type ImportResult,
  isContractSize,
  isFault,
  type OverlapRule,
  removeLeft,
  resolutionMs,
} from '../../history/index.ts';
export {
  checkData,
  type ExportChoice,
  exportData,
  type ImportChoice,
  importData,
  type ResampleChoice,
  type Resampled,
  resampleData,
} from './data.ts';
export { requireThere } from './data-folder.ts';
export {
  type DownloadChoice,
  type DownloadProgress,
  type DownloadReport,
  downloadData,
} from './download.ts';
export { openDatasets } from './named.ts';
export {
  type GapNews,
  RECORDED_KINDS,
  type RecordChoice,
  type RecordReport,
  recordData,
} from './record.ts';
export { type DatasetToRemove, datasetsToRemove, removeData } from './remove.ts';
