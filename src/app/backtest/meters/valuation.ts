import { INTERVAL_MS, INTERVALS } from '../../../domain/index.ts';
import { grouped } from '../../../kernel/index.ts';
import type { Period } from '../data/period.ts';
import { type BacktestDeployment, conventionsFor } from '../deployment.ts';

/** Most samples of the account by default: two years of minutes, ten of five minutes. */
const SAMPLES_MAX = 1_100_000;

/** How often the account is valued. */
export interface Valuation {
  readonly everyMs: number;
  /** What the reader must know: a whole sentence. Absent if configured or as fine as the data. */
  readonly note?: string;
}

/** As configured; else with every candle, or in a long run hourly or once a return period. */
export function valuationOf(
  deployment: BacktestDeployment,
  { period, finestMs }: { readonly period: Period; readonly finestMs: number },
): Valuation {
  const { equityEvery } = deployment.backtest;
  if (equityEvery !== undefined) return { everyMs: INTERVAL_MS[equityEvery] };
  const samples = (period.toMs - period.fromMs) / finestMs;
  if (samples <= SAMPLES_MAX) return { everyMs: finestMs };
  const { periodMs } = conventionsFor(deployment);
  const everyMs = Math.max(finestMs, Math.min(INTERVAL_MS['1hour'], periodMs));
  return everyMs === finestMs ? { everyMs } : { everyMs, note: noteOf({ everyMs, finestMs }) };
}

function noteOf({ everyMs, finestMs }: { everyMs: number; finestMs: number }): string {
  const every = nameOf(everyMs);
  const finest = nameOf(finestMs);
  return (
    `The account is valued every ${every}, as every ${finest} would make more than ` +
    `${grouped(SAMPLES_MAX)} values: no figure shows what equity did in between. ` +
    `backtest.equityEvery: ${finest} values it as often as the data allow.`
  );
}

function nameOf(ms: number): string {
  return INTERVALS.find((interval) => INTERVAL_MS[interval] === ms) ?? `${ms / 1000} seconds`;
}
