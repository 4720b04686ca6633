import type { DeploymentConfig } from '../config/deployment.ts';
import type { Source } from './data/source.ts';
import type { BacktestDeployment } from './deployment.ts';
import { tradesAtClose } from './hearing/heard-prices.ts';

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
 * Whether the parts of an exit follow each other at once. Live they are a second apart, in which no
 * candle tells anything; where orders wait for an open each part has one of its own.
 */
export function partsFollow({ fill }: Pick<BacktestDeployment['backtest'], 'fill'>): boolean {
  return fill.model === 'candles' && (fill.at === 'thisClose' || fill.at === 'heardPath');
}

/**
 * How long an order waits for the open that it leaves at, milliseconds: it is answered then, however
 * long that takes. Where answers may be lost their loss is noticed: the next candle opens in time, or
 * is missing.
 */
export function heldMaxMs(
  { backtest: { simulate, fill } }: Pick<BacktestDeployment, 'backtest'>,
  sources: readonly Source[],
): number {
  if (fill.model !== 'candles' || tradesAtClose(fill)) return 0;
  if (simulate.outages === undefined) return NEVER_MS;
  return Math.max(...sources.map(({ stepMs }) => stepMs));
}
