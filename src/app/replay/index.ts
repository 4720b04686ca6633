export type { JournalEntry } from '../../storage/index.ts';
export { Alignments, type Difference } from './alignment.ts';
export { type Decision, decisionOf, type MadeDecision } from './decision.ts';
export { openRecordedRun, type RecordedRun } from './recorded-run.ts';
export { type ReplayOptions, type ReplayReport, replayRun } from './replay.ts';
