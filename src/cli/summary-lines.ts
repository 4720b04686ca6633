import type { Summary } from '../app/index.ts';
import { columns, counted, formatDuration, formatNumber, formatSigned } from './format.ts';

/** What a run came to, for people. */
export function summaryLines(summary: Summary): string[] {
  const { name, venue, durationMs, status, journal } = summary;
  const { tally } = status;
  const rows = [
    ['stopped', summary.reason],
    ...tradingRows(summary),
    ...failedStrategies(summary),
    ...silentStrategies(summary),
    ...status.markets.map(marketRow),
    ['quotes', `${formatNumber(tally.orders, 0)} orders sent, ${tally.rejected} rejected`],
    ['fills', formatNumber(tally.fills, 0)],
    ['heartbeats', `${tally.heartbeats} confirmed, ${counted(tally.lapses, 'lapse')}`],
    ['refusals', refusals(summary)],
    ['data', counted(tally.gaps, 'gap')],
    ...ordersRows(summary),
    ['journal', journal.path ?? 'in memory'],
    ['hash', journal.hash ?? 'none: the journal failed'],
  ];
  return ['', `${name} on ${venue}, ${formatDuration(durationMs)}`, ...columns(rows).map(indent)];
}

/** Whether trading is restricted, and what ends that; on an embedded exchange the end of the run. */
function tradingRows({ status, embedded }: Summary): string[][] {
  const { state, reason } = status.trading;
  if (state === 'ACTIVE') return [];
  const end = embedded === undefined ? [['', 'it stays so until a run with --resume']] : [];
  return [['trading', `${state}: ${reason}`], ...end];
}

function failedStrategies({ status }: Summary): string[][] {
  return status.strategies
    .filter((strategy) => strategy.status === 'failed' || strategy.status === 'ended')
    .map(({ name, status: how, reason }) => ['strategy', `${name} ${how}: ${reason}`]);
}

/** One that never wished has done nothing: it may only have seen too little. */
function silentStrategies({ status }: Summary): string[][] {
  return status.strategies
    .filter((strategy) => strategy.status === 'started' && strategy.wishes === 0)
    .map(({ name, books }) => [
      'strategy',
      `${name}: no wish yet (${counted(books, 'book')} seen)`,
    ]);
}

function marketRow({ market, position, profit }: Summary['status']['markets'][number]): string[] {
  const held = formatSigned(position.amount.toNumber(), market.amountScale);
  const earned =
    profit === undefined
      ? 'profit unknown (no price yet)'
      : `profit ${formatSigned(profit.toNumber(), 2)} ${market.quote} after fees`;
  return [market.id, `position ${held} ${market.base}, ${earned}`];
}

function refusals({ status }: Summary): string {
  const { refusals: byCode } = status.tally;
  if (byCode.size === 0) return 'none';
  return [...byCode].map(([code, count]) => `${code} ${count}`).join(', ');
}

/** How the orders ended, by our own reading and by the embedded exchange's books. */
function ordersRows({ stop, embedded }: Summary): string[][] {
  const { cancelled, of, filled, foreign } = stop;
  const proof = stop.verified ? 'verified' : 'NOT VERIFIED';
  const fills = filled === 0 ? '' : `, ${filled} filled`;
  const rows = [['orders', `${cancelled} of ${of} live ones cancelled${fills}, ${proof}`]];
  if (foreign > 0) rows.push(['', `${counted(foreign, 'open order')} there not ours`]);
  for (const { market, clientOrderId } of stop.remaining) {
    rows.push(['', `may still rest: ${market} ${clientOrderId}`]);
  }
  if (embedded === undefined) return rows;
  const { resting, requestsPeak: peak } = embedded;
  const pace = peak === undefined ? '' : `, at most ${counted(peak, 'request')} in any second`;
  return [...rows, ['exchange', `${counted(resting, 'order')} left on it${pace}`]];
}

function indent(line: string): string {
  return `  ${line}`;
}
