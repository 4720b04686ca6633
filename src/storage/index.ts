export { type StorageConfig, storageConfig } from './config.ts';
export {
  type DatabaseFile,
  type Disk,
  type OpenMode,
  type Row,
  type SqlValue,
  type Statement,
  sqliteDisk,
} from './disk.ts';
export { StorageError } from './errors.ts';
export { FileJournal, type JournalOptions, openJournal } from './journal.ts';
export {
  type EventQuery,
  type JournalEntry,
  JournalReader,
  openJournalReader,
  type RunRecord,
  type Verification,
} from './journal-reader.ts';
export { MARKET_DATA_KINDS } from './line.ts';
export { MemoryJournal } from './memory-journal.ts';
export { reviveEvent, reviveOrder } from './revive.ts';
