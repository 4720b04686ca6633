import type { MarketStatus } from '../app/index.ts';
import { factLines, headLines, type LineStyle } from './block-lines.ts';
import { earningsTable, hasSeveral } from './earnings-table.ts';
import { counted, formatDuration, formatNumber, formatPosition, formatProfit } from './format.ts';
import type { Paint } from './style.ts';

const QUOTES_SHOWN = 2;

interface MarketDrawing {
  readonly nowMs: number;
  readonly style: LineStyle;
}

/** A market: its prices, what is held and was earned, and our orders. */
export function marketLines(status: MarketStatus, { nowMs, style }: MarketDrawing): string[] {
  const { market, bid, ask } = status;
  const price = (value: number | undefined): string =>
    value === undefined ? '-' : formatNumber(value, market.priceScale);
  const { paint } = style;
  const age = isStale(status) ? [paint('bad', 'STALE')] : [];
  return [
    ...headLines(market.id, [`bid ${price(bid)}`, `ask ${price(ask)}`, ...age], style),
    ...earningsLines(status, { nowMs, style }),
    ...factLines('our bids', quotes(status, 'bids'), style),
    ...factLines('our asks', quotes(status, 'asks'), style),
  ];
}

/** A market on one line: whether it is stale, then as many of the other facts as fit. */
export function briefLines(status: MarketStatus, style: LineStyle): string[] {
  const { market, bids, asks } = status;
  const { paint } = style;
  const profit = `profit ${earned(status.runProfit, { market, paint })} ${market.quote}`;
  const orders = counted(bids.length + asks.length, 'order');
  const age = isStale(status) ? [paint('bad', 'STALE')] : [];
  return headLines(market.id, [...age, heldText(status), profit, orders], style).slice(0, 1);
}

function heldText(status: MarketStatus): string {
  return `${formatPosition(status)} ${status.market.base}`;
}

/** Whether the market had data, but has no fresh data any more. */
export function isStale({ fresh, dataAgeMs }: MarketStatus): boolean {
  return !fresh && dataAgeMs !== undefined;
}

/**
 * Position and profit: of this run and, if earlier runs traded the market, of all runs; for each
 * strategy if there are several.
 */
function earningsLines(status: MarketStatus, { nowMs, style }: MarketDrawing): string[] {
  const { paint, columns } = style;
  const { market, entryPrice, hasPast } = status;
  const { quote } = market;
  const ofRun = earned(status.runProfit, { market, paint });
  const ofAll = earned(status.profit, { market, paint });
  const opened = entryPrice && formatNumber(entryPrice.toNumber(), market.priceScale);
  const second = hasPast ? `opened at ${opened ?? '-'}` : `profit ${ofRun} ${quote}`;
  const heartbeat = heartbeatOf(status, { nowMs, paint });
  const profits = [`${ofRun} ${quote} this run`, `${ofAll} ${quote} all runs`];
  return [
    ...factLines('position', [heldText(status), second, heartbeat], style),
    ...(hasPast ? factLines('profit', profits, style) : []),
    ...(hasSeveral(status)
      ? earningsTable(status, { paint, isBrief: true, width: columns - 2 }).map((row) => `  ${row}`)
      : []),
  ];
}

/** The age of the newest confirmed heartbeat; if it has lapsed while orders rest, since when. */
function heartbeatOf(
  { heartbeat: { confirmedMs, lapsedMs }, bids, asks }: MarketStatus,
  { nowMs, paint }: { readonly nowMs: number; readonly paint: Paint },
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

/** The best few orders of a side, and how many more there are. */
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
