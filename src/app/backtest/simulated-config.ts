import type { DeploymentConfig } from '../config/deployment.ts';
import type { BacktestDeployment } from './deployment.ts';
import type { Source } from './source.ts';

/** Longer than any run: what is due then never comes. */
const NEVER_MS = Number.MAX_SAFE_INTEGER / 4;

/**
 * The deployment as a backtest runs it.
 *
 * Between two candles nothing new can be met, so what is tried again waits until the next one ends its
 * pause; what is not simulated (`backtest.simulate`) keeps no timer.
 */
export function simulatedConfig(
  { config, backtest }: BacktestDeployment,
  sources: readonly Source[],
): DeploymentConfig {
  const { simulate, fill } = backtest;
  const { executor } = config;
  const waitsForCandle = sources.some(({ kind }) => kind === 'candles');
  const paced = (ms: number): number => (waitsForCandle ? NEVER_MS : ms);
  const waitsForOpen = fill.model === 'candles' && fill.at !== 'thisClose';
  return {
    ...config,
    executor: {
      ...executor,
      targetRetryMs: paced(executor.targetRetryMs),
      postOnlyRetryMs: paced(executor.postOnlyRetryMs),
      refusalRetryMs: paced(executor.refusalRetryMs),
      // An order that waits for the next open is answered then, however long that takes.
      answerTimeoutMs: waitsForOpen ? NEVER_MS : executor.answerTimeoutMs,
      reconcileMs: simulate.reconciliation ? executor.reconcileMs : NEVER_MS,
    },
  };
}
