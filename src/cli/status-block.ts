import type { MarketStatus, Status } from '../app/index.ts';
import { columns, formatDuration, formatNumber, formatSigned } from './format.ts';

/** What the block's first line says of the run. */
export interface BlockHeading {
  readonly name: string;
  readonly venue: string;
  readonly runningMs: number;
  readonly remainingMs: number | undefined;
}

/** The status of a run as a calm block of lines; the same height for the same markets. */
export function statusBlock(heading: BlockHeading, status: Status): string[] {
  const { tally, requests } = status;
  const refused = [...tally.refusals.values()].reduce((sum, count) => sum + count, 0);
  const rows = [
    ['orders', `${tally.orders} sent`, `${tally.fills} fills`, `${tally.cancelled} cancelled`],
    ['safety', `${tally.heartbeats} heartbeats`, `${refused} refused`, `${tally.lapses} lapses`],
    [
      'requests',
      `${requests.lastSecond}/${requests.requestsPerSecond} a second`,
      `${formatNumber(requests.lastMinute, 0)}/${formatNumber(requests.requestsPerMinute, 0)} a minute`,
      '',
    ],
  ];
  return ['', title(heading, status), ...status.markets.flatMap(marketLines), '', ...columns(rows)];
}

function title(heading: BlockHeading, status: Status): string {
  const { name, venue, runningMs, remainingMs } = heading;
  const left = remainingMs === undefined ? '' : ` of ${formatDuration(runningMs + remainingMs)}`;
  return `tradewind ${name} · ${venue} · ${formatDuration(runningMs)}${left} · ${status.state}`;
}

function marketLines(status: MarketStatus): string[] {
  const { market, bid, ask, fresh, position, profit, heartbeatAgeMs } = status;
  const price = (value: number | undefined): string =>
    value === undefined ? '-' : formatNumber(value, market.priceScale);
  const held = formatSigned(position.amount.toNumber(), market.amountScale);
  const earned = profit === undefined ? '-' : formatSigned(profit.toNumber(), 2);
  const heartbeat =
    heartbeatAgeMs === undefined ? 'none yet' : `${Math.round(heartbeatAgeMs / 1000)} s ago`;
  return [
    '',
    `${market.id}  ${price(bid)} / ${price(ask)}${fresh ? '' : '  STALE'}`,
    ...columns([
      ['  position', `${held} ${market.base}`, `profit ${earned} ${market.quote}`],
      ['  our bids', quotes(status, 'bids'), ''],
      ['  our asks', quotes(status, 'asks'), `heartbeat ${heartbeat}`],
    ]),
  ];
}

const QUOTES_SHOWN = 3;

function quotes(status: MarketStatus, side: 'bids' | 'asks'): string {
  const { priceScale, amountScale } = status.market;
  const orders = status[side];
  if (orders.length === 0) return '-';
  const shown = orders
    .slice(0, QUOTES_SHOWN)
    .map((o) => `${formatNumber(o.price, priceScale)} x ${formatNumber(o.amount, amountScale)}`);
  const more = orders.length - shown.length;
  return `${shown.join('   ')}${more > 0 ? `   +${more}` : ''}`;
}
