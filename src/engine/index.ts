export { Engine, type RunOver } from './engine.ts';
export { StrategyHost, type StrategyInstance, type StrategyReport } from './strategy-host.ts';
export { type Tally, TallyCounter } from './tally.ts';
