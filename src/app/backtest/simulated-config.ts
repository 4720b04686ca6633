import type { DeploymentConfig } from '../config/deployment.ts';
import type { Source } from './data/source.ts';
import type { BacktestDeployment } from './deployment.ts';
import { tradesAtClose } from './hearing/heard-prices.ts';

/** A delay longer than any run. */
const NEVER_MS = Number.MAX_SAFE_INTEGER / 4;

/**
 * The deployment as a backtest runs it.
 *
 * Between two candles a retry would meet nothing new, so retries have no delay of their own: the
 * next candle ends their pause. Parts that are not simulated (`backtest.simulate`) get no timer.
 */
export function simulatedConfig(
  { config, backtest }: BacktestDeployment,
  sources: readonly Source[],
): DeploymentConfig {
  const { simulate } = backtest;
  const { executor } = config;
  const waitsForCandle = sources.some(({ kind }) => kind === 'candles');
  const paced = (ms: number): number => (waitsForCandle ? NEVER_MS : ms);
  return {
    ...config,
    executor: {
      ...executor,
      targetRetryMs: paced(executor.targetRetryMs),
      postOnlyRetryMs: paced(executor.postOnlyRetryMs),
      refusalRetryMs: paced(executor.refusalRetryMs),
      answerTimeoutMs: executor.answerTimeoutMs + heldMaxMs({ backtest }, sources),
      reconcileMs: simulate.reconciliation ? executor.reconcileMs : NEVER_MS,
    },
  };
}

/**
 * Whether the parts of an exit follow each other at once. Live they are a second apart, a time in
 * which candles show nothing new. Where orders wait for an open, each part has an open of its own.
 */
export function partsFollow({ fill }: Pick<BacktestDeployment['backtest'], 'fill'>): boolean {
  return fill.model === 'candles' && (fill.at === 'thisClose' || fill.at === 'heardPath');
}

/**
 * The longest time that an order waits for an open, milliseconds. Usually there is no limit: its
 * answer comes after the open, whenever that is. With outages answers may be lost, which has to be
 * noticed: the limit is the length of a candle, as the next one opens by then or is missing.
 */
export function heldMaxMs(
  { backtest: { simulate, fill } }: Pick<BacktestDeployment, 'backtest'>,
  sources: readonly Source[],
): number {
  if (fill.model !== 'candles' || tradesAtClose(fill)) return 0;
  if (simulate.outages === undefined) return NEVER_MS;
  return Math.max(...sources.map(({ stepMs }) => stepMs));
}
