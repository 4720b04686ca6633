export { Engine, type RunOver } from './engine.ts';
export { definitionIn } from './start-reason.ts';
export { failureOf } from './strategy-failure.ts';
export { StrategyHost, type StrategyInstance, type StrategyReport } from './strategy-host.ts';
export { type Tally, TallyCounter } from './tally.ts';
