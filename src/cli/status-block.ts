import type { MarketStatus, Status } from '../app/index.ts';
import { earningsTable, hasSeveral } from './earnings-table.ts';
import { counted, formatDuration, formatNumber, formatProfit, formatSigned } from './format.ts';
import { type Accent, type Paint, pad } from './style.ts';
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

/** What the block's first line says of the run. */
export interface BlockHeading {
  readonly name: string;
  readonly venue: string;
  readonly runningMs: number;
  /** When it stops by itself; undefined: never. */
  readonly durationMs: number | undefined;
  /** Whether it has stopped. */
  readonly isOver: boolean;
}

/** Width of the labels on the left. */
const LABEL = 14;
/** Width of a fact, so that facts stand below each other and stay where they are. */
const FACT = 24;
const QUOTES_SHOWN = 2;

/**
 * The status of a run as a calm block: every fact always at the same place, but for a line ahead of
 * them for each trouble, which a small terminal would cut off below. Made for 80 columns.
 */
export function statusBlock(heading: BlockHeading, { status, paint }: Drawing): string[] {
  const { nowMs, tally, requests, strategies } = status;
  const refusals = [...tally.refusals.values()].reduce((sum, { wishes }) => sum + wishes, 0);
  const { lastSecond, requestsPerSecond, lastMinute, requestsPerMinute } = requests;
  const line = (label: string, facts: readonly string[]): string =>
    (
      paint('quiet', pad(`  ${label}`, LABEL)) +
      facts.map((fact) => `${pad(fact, FACT - 2)}  `).join('')
    ).trimEnd();
  return [
    '',
    title(heading, { status, paint }),
    line('state', [stateOf(heading, { status, paint })]),
    ...unreadable(status).map((text) => line('unreadable', [paint('bad', text)])),
    ...outOfReach(status).flatMap(([what, when]) => [
      line('resting', [paint('bad', what)]),
      line('', [paint('bad', when)]),
    ]),
    ...unknownOrders(status).map((text) => line('unknown', [paint('warning', text)])),
    ...inBlackout(status).map((text) => line('blackout', [text])),
    ...rejected(status).map((text) => line('rejected', [paint('warning', text)])),
    ...refused(status).map((text) => line('refused', [text])),
    ...strategies.map((strategy, at) =>
      line(at === 0 ? 'strategies' : '', [strategyOf(strategy, paint)]),
    ),
    ...status.markets.flatMap((market) => ['', ...marketLines(market, { nowMs, paint, line })]),
    '',
    line('orders', [
      sent(tally, paint),
      counted(tally.fills, 'fill'),
      `${formatNumber(tally.cancelled, 0)} cancelled`,
    ]),
    line('safety', [
      counted(tally.heartbeats, 'heartbeat'),
      alarming(tally.lapses, { one: 'lapse', accent: 'bad', paint }),
      alarming(refusals, { one: 'refusal', accent: 'warning', paint }),
    ]),
    line('requests', [
      `${lastSecond}/${requestsPerSecond} a second`,
      `${formatNumber(lastMinute, 0)}/${formatNumber(requestsPerMinute, 0)} a minute`,
      alarming(tally.gaps, { one: 'data gap', accent: 'warning', paint }),
    ]),
  ];
}

interface Drawing {
  readonly status: Status;
  readonly paint: Paint;
}

function title({ name, venue, runningMs, durationMs }: BlockHeading, { paint }: Drawing): string {
  const end = durationMs === undefined ? '' : ` of ${formatDuration(durationMs)}`;
  return `${paint('strong', `tradewind ${name}`)}  ${formatDuration(runningMs)}${end}  ${paint('quiet', venue)}`;
}

/** Whether it trades, and what keeps it from that: its end, and what has restricted it. */
function stateOf({ isOver }: BlockHeading, { status, paint }: Drawing): string {
  const areAll = (...states: string[]) =>
    status.strategies.every((one) => states.includes(one.status));
  const isEnding = areAll('failed', 'ended', 'stopped');
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
  return `${paint('bad', trading.state)} ${trading.reason}`;
}

function strategyOf(strategy: Status['strategies'][number], paint: Paint): string {
  const { name, status, reason, wishes } = strategy;
  if (status === 'started') {
    const running = `${name} ${paint('good', 'running')}`;
    return wishes > 0 ? running : `${running}, ${noWishYet(strategy)}`;
  }
  const accent = status === 'failed' ? 'bad' : 'warning';
  return `${name} ${paint(accent, status)}${status === 'failed' || status === 'ended' ? `: ${reason}` : ''}`;
}

/** How many orders left, and how many of them the exchange did not take. */
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

interface LineDrawing {
  readonly nowMs: number;
  readonly paint: Paint;
  readonly line: (label: string, facts: readonly string[]) => string;
}

function marketLines(status: MarketStatus, { nowMs, paint, line }: LineDrawing): string[] {
  const { market, bid, ask, fresh, dataAgeMs } = status;
  const price = (value: number | undefined): string =>
    value === undefined ? '-' : formatNumber(value, market.priceScale);
  const isStale = !fresh && dataAgeMs !== undefined;
  return [
    `${paint('strong', pad(market.id, LABEL))}${pad(`bid ${price(bid)}`, FACT)}${pad(`ask ${price(ask)}`, FACT)}${isStale ? paint('bad', 'STALE') : ''}`.trimEnd(),
    ...earningsLines(status, { nowMs, paint, line }),
    line('our bids', quotes(status, 'bids')),
    line('our asks', quotes(status, 'asks')),
  ];
}

/**
 * What is held and was earned: by this run and, where earlier ones have traded there, by all; each
 * strategy for itself where there are several.
 */
function earningsLines(status: MarketStatus, { nowMs, paint, line }: LineDrawing): string[] {
  const { market, position, entryPrice, hasPast } = status;
  const { quote } = market;
  const held = `${formatSigned(position.amount.toNumber(), market.amountScale)} ${market.base}`;
  const ofRun = earned(status.runProfit, { market, paint });
  const opened = entryPrice && formatNumber(entryPrice.toNumber(), market.priceScale);
  return [
    line('position', [
      ...[held, hasPast ? `opened at ${opened ?? '-'}` : `profit ${ofRun} ${quote}`],
      heartbeatOf(status, { nowMs, paint }),
    ]),
    ...(hasPast
      ? [
          line('profit', [
            `${ofRun} ${quote} this run`,
            `${earned(status.profit, { market, paint })} ${quote} all runs`,
          ]),
        ]
      : []),
    ...(hasSeveral(status)
      ? earningsTable(status, { paint, isBrief: true }).map((row) => `  ${row}`)
      : []),
  ];
}

/** How old the newest confirmed heartbeat is; where orders live, whether it has lapsed. */
function heartbeatOf(
  { heartbeat: { confirmedMs, lapsedMs }, bids, asks }: MarketStatus,
  { nowMs, paint }: Omit<LineDrawing, 'line'>,
): string {
  if (confirmedMs === undefined) return 'heartbeat none';
  if (lapsedMs === undefined) return `heartbeat ${ago(nowMs - confirmedMs)}`;
  if (bids.length + asks.length === 0) return 'heartbeat idle';
  return paint('bad', `heartbeat lapsed ${ago(nowMs - lapsedMs)}`);
}

function ago(ageMs: number): string {
  const seconds = Math.round(ageMs / 1000);
  return seconds < 60 ? `${seconds} s ago` : `${formatDuration(ageMs)} ago`;
}

function earned(
  profit: MarketStatus['profit'],
  { market, paint }: { readonly market: MarketStatus['market']; readonly paint: Paint },
): string {
  if (profit === undefined) return '-';
  const text = formatProfit(profit.toNumber(), market);
  return profit.sign === 0 ? text : paint(profit.sign > 0 ? 'good' : 'bad', text);
}

/** The best few, and how many more there are. */
function quotes(status: MarketStatus, side: 'bids' | 'asks'): string[] {
  const { priceScale, amountScale } = status.market;
  const orders = status[side];
  if (orders.length === 0) return ['-'];
  const shown = orders
    .slice(0, QUOTES_SHOWN)
    .map((o) => `${formatNumber(o.amount, amountScale)} @ ${formatNumber(o.price, priceScale)}`);
  const more = orders.length - shown.length;
  return more > 0 ? [...shown, `+${more}`] : shown;
}
