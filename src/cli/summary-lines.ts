import type { Summary } from '../app/index.ts';
import { columns, formatDuration, formatNumber, formatSigned } from './format.ts';

/** What a run came to, for people. */
export function summaryLines(summary: Summary): string[] {
  const { name, venue, reason, durationMs, status, stop, embedded, journal } = summary;
  const { tally } = status;
  const proof = stop.verified ? 'verified' : 'NOT VERIFIED';
  const rows = [
    ['stopped', reason],
    ...status.markets.map(({ market, position, profit }) => [
      market.id,
      `position ${formatSigned(position.amount.toNumber(), market.amountScale)} ${market.base}, ` +
        `profit ${profit === undefined ? 'unknown' : formatSigned(profit.toNumber(), 2)} ${market.quote} after fees`,
    ]),
    ['quotes', `${formatNumber(tally.orders, 0)} orders sent, ${tally.rejected} rejected`],
    ['fills', formatNumber(tally.fills, 0)],
    ['heartbeats', `${tally.heartbeats} confirmed, ${tally.lapses} lapses`],
    ['refusals', refusals(summary)],
    ['data', tally.gaps === 0 ? 'no gaps' : `${tally.gaps} gaps`],
    ['orders', `cancelled ${stop.cancelled} of ${stop.of}, ${proof}`],
    ...stop.remaining.map((order) => [
      '',
      `may still rest: ${order.market} ${order.clientOrderId}`,
    ]),
  ];
  if (embedded !== undefined) {
    const peak = embedded.requestsPeak;
    const counted = peak === undefined ? '' : `, at most ${peak} requests in any second`;
    rows.push(['exchange', `${embedded.resting} orders left on it${counted}`]);
  }
  rows.push(['journal', journal.path ?? 'in memory'], ['hash', journal.hash]);
  return ['', `${name} on ${venue}, ${formatDuration(durationMs)}`, ...columns(rows).map(indent)];
}

function refusals({ status }: Summary): string {
  const { refusals: byCode } = status.tally;
  if (byCode.size === 0) return 'none';
  return [...byCode].map(([code, count]) => `${code} ${count}`).join(', ');
}

function indent(line: string): string {
  return `  ${line}`;
}
