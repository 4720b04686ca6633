import { type MarketStatus, printable, type Status } from '../app/index.ts';
import { fitted, RANKS } from './block-fit.ts';
import { factLines, type LineStyle } from './block-lines.ts';
import { counted, formatDuration, formatNumber } from './format.ts';
import { briefLines, isStale, marketLines } from './market-block.ts';
import type { Accent, Paint } from './style.ts';
import {
  blindness,
  inBlackout,
  noWishYet,
  outOfReach,
  refused,
  rejected,
  unknownOrders,
  unreadable,
} from './troubles.ts';
import { wrap } from './wrap.ts';

/** What the block's first line says of the run. */
export interface BlockHeading {
  readonly name: string;
  readonly venue: string;
  readonly runningMs: number;
  /** After how long it stops by itself; undefined: never. */
  readonly durationMs: number | undefined;
  /** Whether its stop has begun. */
  readonly isStopping: boolean;
  /** Whether it has stopped. */
  readonly isOver: boolean;
}

/**
 * The status of a run as a calm block: every fact keeps its place, except that each trouble adds
 * lines above. Facts that the terminal is too narrow for go on the next line, and markets are
 * shortened to keep what stands below them in view.
 */
export function statusBlock(heading: BlockHeading, drawing: Drawing): string[] {
  const { status, paint, size = UNBOUNDED } = drawing;
  const style = { paint, columns: size.columns };
  const parts = {
    head: [
      ...['', ...wrap(title(heading, drawing), size.columns)],
      ...factLines('state', [stateOf(heading, drawing)], style),
    ],
    troubles: troubleLines(status, style),
    strategies: status.strategies.flatMap((strategy, at) =>
      factLines(at === 0 ? 'strategies' : '', [strategyOf(strategy, paint)], style),
    ),
    markets: status.markets.map((market) => ({
      rank: rankOf(market, status),
      lines: marketLines(market, { nowMs: status.nowMs, style }),
      brief: briefLines(market, style),
    })),
    totals: totalLines(status, style),
  };
  return fitted(parts, size.rows);
}

function troubleLines(status: Status, style: LineStyle): string[] {
  const line = (label: string, text: string): string[] => factLines(label, [text], style);
  const painted = (label: string, accent: Accent, texts: readonly string[]): string[] =>
    texts.flatMap((text) => line(label, style.paint(accent, text)));
  return [
    ...painted('unreadable', 'bad', unreadable(status)),
    ...outOfReach(status).flatMap(([what, when]) => [
      ...painted('resting', 'bad', [what]),
      ...painted('', 'bad', [when]),
    ]),
    ...painted('unknown', 'warning', unknownOrders(status)),
    ...inBlackout(status).flatMap((text) => line('blackout', text)),
    ...painted('rejected', 'warning', rejected(status)),
    ...refused(status).flatMap((text) => line('refused', text)),
  ];
}

/** Totals of the run over all markets; always shown. */
function totalLines({ tally, requests }: Status, style: LineStyle): string[] {
  const { paint } = style;
  const refusals = [...tally.refusals.values()].reduce((sum, { wishes }) => sum + wishes, 0);
  const { lastSecond, requestsPerSecond, lastMinute, requestsPerMinute } = requests;
  const orders = [
    ...[sent(tally, paint), counted(tally.fills, 'fill')],
    `${formatNumber(tally.cancelled, 0)} cancelled`,
  ];
  const safety = [
    counted(tally.heartbeats, 'heartbeat'),
    alarming(tally.lapses, { one: 'lapse', accent: 'bad', paint }),
    alarming(refusals, { one: 'refusal', accent: 'warning', paint }),
  ];
  const used = [
    `${lastSecond}/${requestsPerSecond} a second`,
    `${formatNumber(lastMinute, 0)}/${formatNumber(requestsPerMinute, 0)} a minute`,
    alarming(tally.gaps, { one: 'data gap', accent: 'warning', paint }),
  ];
  return [
    ...factLines('orders', orders, style),
    ...factLines('safety', safety, style),
    ...factLines('requests', used, style),
  ];
}

/** Markets in trouble come first, then those with a position or resting orders. */
function rankOf(status: MarketStatus, { unreadable }: Status): number {
  const { market, position, bids, asks, heartbeat } = status;
  const rests = bids.length + asks.length > 0;
  const isUnread = unreadable.some(({ what }) => what.split(' ').includes(market.id));
  const isLapsed = rests && (heartbeat.lapsedMs !== undefined || heartbeat.isUnanswered);
  if (isStale(status) || isUnread || isLapsed) return RANKS.trouble;
  return rests || position.amount.sign !== 0 ? RANKS.held : RANKS.idle;
}

interface Drawing {
  readonly status: Status;
  readonly paint: Paint;
  /** Room on the terminal. Default: as much as it takes. */
  readonly size?: BlockSize;
}

interface BlockSize {
  readonly columns: number;
  readonly rows: number;
}

const UNBOUNDED: BlockSize = { columns: Infinity, rows: Infinity };

function title({ name, venue, runningMs, durationMs }: BlockHeading, { paint }: Drawing): string {
  const end = durationMs === undefined ? '' : ` of ${formatDuration(durationMs)}`;
  return `${paint('strong', `tradewind ${name}`)}  ${formatDuration(runningMs)}${end}  ${paint('quiet', venue)}`;
}

/** Whether the run trades and, if not, why: it starts, it ends, or trading is restricted. */
function stateOf({ isStopping, isOver }: BlockHeading, { status, paint }: Drawing): string {
  const areAll = (...states: string[]) =>
    status.strategies.every((one) => states.includes(one.status));
  const isEnding = isStopping || areAll('failed', 'ended', 'stopped');
  if (!isOver && !isEnding) {
    const isStarting = areAll('waiting') && status.trading.state === 'ACTIVE';
    return isStarting ? paint('quiet', 'STARTING') : tradingOf(status, paint);
  }
  const end = paint('warning', isOver ? 'STOPPED' : 'STOPPING');
  return status.trading.state === 'ACTIVE' ? end : `${end}, ${tradingOf(status, paint)}`;
}

function tradingOf(status: Status, paint: Paint): string {
  const { trading } = status;
  const blind = blindness(status);
  if (trading.state === 'ACTIVE') {
    return blind === undefined ? paint('good', 'ACTIVE') : `ACTIVE, ${paint('bad', blind)}`;
  }
  return `${paint('bad', trading.state)} ${printable(trading.reason)}`;
}

function strategyOf(strategy: Status['strategies'][number], paint: Paint): string {
  const { status, wishes } = strategy;
  // An error's message may have several lines.
  const [name, reason] = [strategy.name, strategy.reason].map(printable);
  if (status === 'started') {
    const running = `${name} ${paint('good', 'running')}`;
    return wishes > 0 ? running : `${running}, ${noWishYet(strategy)}`;
  }
  const accent = status === 'failed' ? 'bad' : 'warning';
  return `${name} ${paint(accent, status)}${status === 'failed' || status === 'ended' ? `: ${reason}` : ''}`;
}

/** How many orders were sent, and how many of them the exchange rejected. */
function sent({ orders, rejected }: Status['tally'], paint: Paint): string {
  const count = `${formatNumber(orders, 0)} sent`;
  if (rejected === 0) return count;
  return `${count}, ${paint('warning', `${formatNumber(rejected, 0)} rejected`)}`;
}

/** A count that should be zero stands out when it is not. */
function alarming(
  count: number,
  { one, accent, paint }: { readonly one: string; readonly accent: Accent; readonly paint: Paint },
): string {
  return count === 0 ? counted(count, one) : paint(accent, counted(count, one));
}
