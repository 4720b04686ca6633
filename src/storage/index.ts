export { type StorageConfig, storageConfig } from './config.ts';
export {
  type DatabaseFile,
  type Disk,
  type LogFile,
  machineDisk,
  type OpenMode,
  type Row,
  type SqlValue,
  type Statement,
} from './disk.ts';
export { StorageError } from './errors.ts';
export { FileJournal, type JournalOptions, openJournal } from './journal.ts';
export {
  type EventQuery,
  type JournalEntry,
  JournalReader,
  openJournalReader,
  type RunRecord,
} from './journal-reader.ts';
export { MARKET_DATA_KINDS } from './line.ts';
export { MemoryJournal } from './memory-journal.ts';
export { reviveEvent, reviveOrder } from './revive.ts';
export type { Verification } from './verify.ts';
