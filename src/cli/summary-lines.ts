import type { Summary } from '../app/index.ts';
import { columns, counted, formatDuration, formatNumber, formatSigned } from './format.ts';

/** What a run came to, for people. */
export function summaryLines(summary: Summary): string[] {
  const { name, venue, durationMs, status, journal } = summary;
  const { tally, trading } = status;
  const rows = [
    ['stopped', summary.reason],
    ...(trading.state === 'ACTIVE' ? [] : [['trading', `${trading.state}: ${trading.reason}`]]),
    ...failedStrategies(summary),
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

function failedStrategies({ status }: Summary): string[][] {
  return status.strategies
    .filter((strategy) => strategy.status === 'failed' || strategy.status === 'ended')
    .map(({ name, status: how, reason }) => ['strategy', `${name} ${how}: ${reason}`]);
}

function marketRow({ market, position, profit }: Summary['status']['markets'][number]): string[] {
  const held = formatSigned(position.amount.toNumber(), market.amountScale);
  const earned = profit === undefined ? 'unknown' : formatSigned(profit.toNumber(), 2);
  const text = `position ${held} ${market.base}, profit ${earned} ${market.quote} after fees`;
  return [market.id, text];
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
