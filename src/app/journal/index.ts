export { csvLine, type TradeFields, tradeFields, tradesCsv } from '../../report/index.ts';
export { EVENT_KINDS } from '../../storage/index.ts';
export { checkJournal, type RunCheck } from './check.ts';
export { type JournalDay, type JournalDays, journalDays, type OpenSum } from './days.ts';
export { type EventChoice, journalEvents, type RunEvent } from './events.ts';
export { type JournalRun, journalRuns } from './runs.ts';
export { type JournalTrades, journalTrades, type OpenTrade, type TradeChoice } from './trades.ts';
