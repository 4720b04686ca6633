import type {
  BacktestChoices,
  BacktestDeployment,
  FinishedRun,
  FinishedRunOptions,
  LookaheadOptions,
  LookaheadReport,
  WarmUpOptions,
  WarmUpReport,
} from './backtest/index.ts';
import type { CompareOptions, RunComparison } from './compare/index.ts';
import type { ReplayOptions, ReplayReport } from './replay/index.ts';

// Read when they are asked for: no other command waits for what only these need.

/** See `loadBacktest` of the room. @throws {AppError} likewise. */
export async function loadBacktest(
  file: string,
  choices: BacktestChoices = {},
): Promise<BacktestDeployment> {
  const room = await import('./backtest/index.ts');
  return room.loadBacktest(file, choices);
}

/** See `finishRun` of the room. @throws {AppError} likewise. */
export async function runBacktest(options: FinishedRunOptions): Promise<FinishedRun> {
  const room = await import('./backtest/index.ts');
  return room.finishRun(options);
}

/** See `replayRun` of the room. @throws {AppError} likewise. */
export async function replayRun(options: ReplayOptions): Promise<ReplayReport> {
  const room = await import('./replay/index.ts');
  return room.replayRun(options);
}

/** See `compareRuns` of the room. @throws {AppError} likewise. */
export async function compareRuns(options: CompareOptions): Promise<RunComparison> {
  const room = await import('./compare/index.ts');
  return room.compareRuns(options);
}

/** See `checkLookahead` of the room. @throws {AppError} likewise. */
export async function checkLookahead(options: LookaheadOptions): Promise<LookaheadReport> {
  const room = await import('./backtest/index.ts');
  return room.checkLookahead(options);
}

/** See `checkWarmUp` of the room. @throws {AppError} likewise. */
export async function checkWarmUp(options: WarmUpOptions): Promise<WarmUpReport> {
  const room = await import('./backtest/index.ts');
  return room.checkWarmUp(options);
}
