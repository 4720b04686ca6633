import { type Decimal, EXIT_CODES, type Summary } from '../app/index.ts';
import { summaryLines } from './summary-lines.ts';

/**
 * The summary of a run as one line of JSON, for programs that read the JSON log line by line.
 * `lines` is the summary for people, including what they have to do.
 */
export function summaryJson(summary: Summary): string {
  const { name, venue, endedMs, outcome, reason, stop } = summary;
  return JSON.stringify({
    level: outcome === 'success' ? 'info' : 'error',
    time: new Date(endedMs).toISOString(),
    summary: {
      ...{ name, venue, file: summary.file, outcome, exitCode: EXIT_CODES[outcome], reason },
      durationMs: summary.durationMs,
      ...countsOf(summary),
      strategies: summary.status.strategies.map(strategyOf),
      markets: summary.status.markets.map(marketOf),
      orders: stop,
      exchange: summary.embedded ?? null,
      journal: { path: summary.journal.path ?? null, hash: summary.journal.hash ?? null },
      lines: summaryLines(summary)
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    },
    msg: `${name} stopped: ${reason}`,
  });
}

function countsOf({ status }: Summary) {
  const { orders, rejected, cancelled, fills, heartbeats, lapses, gaps, stale } = status.tally;
  const { requests, requestFailures } = status.tally;
  return {
    trading: status.trading,
    counts: {
      ...{ orders, rejected, cancelled, fills, heartbeats, lapses, gaps, stale },
      ...{ requests, requestFailures },
    },
    refusals: Object.fromEntries(status.tally.refusals),
  };
}

/** A strategy at the end. One that was still `started` when the stop began was stopped by it. */
function strategyOf({ name, status, reason, ...counts }: Summary['status']['strategies'][number]) {
  const byStop = status === 'started';
  return {
    name,
    status: byStop ? 'stopped' : status,
    reason: byStop ? null : reason,
    ...counts,
  };
}

/** A market with exact sums; the profit is null where there is no price. */
function marketOf(status: Summary['status']['markets'][number]) {
  const { market, position, profit, runProfit, runFees } = status;
  return {
    market: market.id,
    position: position.amount,
    currency: market.quote,
    profit: roundedProfit(runProfit),
    fees: runFees,
    profitOfAllRuns: roundedProfit(profit),
    feesOfAllRuns: position.fees,
  };
}

/** Beyond the places of any currency; average costs and mid prices are themselves rounded. */
const PROFIT_PLACES = 12;

function roundedProfit(profit: Decimal | undefined): Decimal | null {
  return profit?.round(PROFIT_PLACES, 'nearest') ?? null;
}
