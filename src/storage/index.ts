export { BY_HAND, type RunBasis } from './basis.ts';
export { Chains, runHash } from './chain.ts';
export { defaultJournalPath, type StorageConfig, storageConfig } from './config.ts';
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
export { HashJournal } from './hash-journal.ts';
export { FileJournal, type JournalOptions, openJournal } from './journal.ts';
export {
  type EventQuery,
  type JournalEntry,
  JournalReader,
  openJournalReader,
  type RunRecord,
  type Snapshot,
} from './journal-reader.ts';
export { lineOf as journalLine, timeOf } from './line.ts';
export { type Lock, takeLock, tryLock, writerOf } from './lock.ts';
export { placeOf } from './place.ts';
export { reviveEvent } from './revive.ts';
export { TextBytes } from './text-bytes.ts';
export type { Verification } from './verify.ts';
