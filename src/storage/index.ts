export { barrierTo } from './access.ts';
export { BY_HAND, type RunBasis } from './basis.ts';
export { Chains, runHash } from './chain.ts';
export { defaultJournalPath, storageConfig } from './config.ts';
export { StorageError } from './errors.ts';
export { HashJournal, type LineSink } from './hash-journal.ts';
export { FileJournal } from './journal.ts';
export {
  type EventQuery,
  type JournalEntry,
  JournalReader,
  type RunRecord,
  readFrom,
} from './journal-reader.ts';
export { EVENT_KINDS, RECALLED_KINDS } from './kind-set.ts';
export { type Lock, takeLock, tryLock, writerOf } from './lock.ts';
export { placeOf } from './place.ts';
export { remainsOf } from './remains.ts';
export { lineOf as journalLine, MARKET_DATA_KINDS } from './text/line.ts';
export { reviveEvent } from './text/revive.ts';
export { TextBytes } from './text/text-bytes.ts';
export type { Verification } from './verify.ts';
