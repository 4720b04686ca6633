import { commandLine, rooms, type Summary } from '../app/index.ts';
import { earningsTable, hasSeveral } from './earnings-table.ts';
import {
  columns,
  counted,
  formatDuration,
  formatNumber,
  formatPosition,
  formatProfit,
} from './format.ts';
import { plain } from './style.ts';
import { noWishYet, refused, rejections, unreadable } from './troubles.ts';

const { timeOfDay } = await rooms.nouns();

/** What a run came to, for people. */
export function summaryLines(summary: Summary): string[] {
  const { name, venue, durationMs, status, journal } = summary;
  const { tally } = status;
  const rows = [
    ['stopped', summary.reason],
    ...tradingRows(summary),
    ...failedStrategies(summary),
    ...silentStrategies(summary),
    ...status.markets.flatMap(marketRows),
    ...strategyRows(summary),
    ['quotes', `${counted(tally.orders, 'order')} sent, ${rejections(status)}`],
    ['fills', formatNumber(tally.fills, 0)],
    ...failedRequests(status),
    ['heartbeats', `${tally.heartbeats} confirmed, ${counted(tally.lapses, 'lapse')}`],
    ...refusalRows(summary),
    ...unreadable(status).map((text) => ['unreadable', text]),
    ['data', dataText(status)],
    ...ordersRows(summary),
    ['journal', journal.path ?? 'none on virtual time, its hash alone'],
    ['hash', journal.hash ?? 'none: the journal failed'],
  ];
  return ['', `${name} on ${venue}, ${formatDuration(durationMs)}`, ...columns(rows).map(indent)];
}

/** Whether trading is restricted, and until when: on an embedded exchange to the run's end. */
function tradingRows({ status, embedded, journal }: Summary): string[][] {
  const { state, reason } = status.trading;
  if (state === 'ACTIVE') return [];
  const end = journal.hash === undefined ? MAY_NOT_LAST : LASTS;
  return [['trading', `${state}: ${reason}`], ...(embedded === undefined ? [['', end]] : [])];
}

const LASTS = 'it stays so until a run with --resume';
const MAY_NOT_LAST = 'the next run may trade again: the journal failed and may not hold this';

function failedStrategies({ status }: Summary): string[][] {
  return status.strategies
    .filter((strategy) => strategy.status === 'failed' || strategy.status === 'ended')
    .map(({ name, status: how, reason }) => ['strategy', `${name} ${how}: ${reason}`]);
}

/** Strategies that never made a wish: they may have seen too little data. */
function silentStrategies({ status }: Summary): string[][] {
  return status.strategies
    .filter((strategy) => strategy.status === 'started' && strategy.wishes === 0)
    .map((strategy) => ['strategy', `${strategy.name}: ${noWishYet(strategy)}`]);
}

function marketRows({
  market,
  position,
  profit,
  runProfit,
  hasPast,
  unowned,
}: Summary['status']['markets'][number]): string[][] {
  const held = formatPosition({ market, position });
  const money = (value: typeof profit): string =>
    value === undefined ? '-' : `${formatProfit(value.toNumber(), market)} ${market.quote}`;
  const ofRun = hasPast ? `profit ${money(runProfit)} this run` : `profit ${money(runProfit)}`;
  const earned =
    profit === undefined
      ? 'profit unknown (no price yet)'
      : `${ofRun}${hasPast ? `, ${money(profit)} all runs,` : ''} after fees`;
  const left = unowned.map(({ strategy, amount }) => [
    '',
    `${strategy} holds ${amount} ${market.base} of the position and does not trade there: ` +
      'nobody closes it',
  ]);
  return [[market.id, `position ${held} ${market.base}, ${earned}`], ...left];
}

/** What each strategy holds and has earned, in each market that has several. */
function strategyRows({ status }: Summary): string[][] {
  return status.markets.filter(hasSeveral).flatMap((market) => {
    const rows = earningsTable(market, { paint: plain, isBrief: false, width: Infinity });
    return rows.map((row, at) => [at === 0 ? `in ${market.market.id}` : '', row]);
  });
}

/** How many requests ended without a clear answer, where any did. */
function failedRequests({ tally: { requests, requestFailures } }: Summary['status']): string[][] {
  if (requestFailures === 0) return [];
  const failed = formatNumber(requestFailures, 0);
  return [['requests', `${failed} of ${counted(requests, 'request')} without a clear answer`]];
}

/** How often records were missing, and how often a stream fell silent, where any did. */
function dataText({ tally: { gaps, stale } }: Summary['status']): string {
  const times = stale === 1 ? 'once' : counted(stale, 'time');
  return `${counted(gaps, 'gap')}${stale === 0 ? '' : `, stale ${times}`}`;
}

/** How often each refusal came, and the settings behind it. */
function refusalRows({ status }: Summary): string[][] {
  const [first = 'none', ...others] = refused(status);
  return [['refusals', first], ...others.map((text) => ['', text])];
}

/** How the orders ended, as we read it and by the embedded exchange's own books. */
function ordersRows(summary: Summary): string[][] {
  const { stop, embedded } = summary;
  const { cancelled, of, filled, rejected, foreign } = stop;
  const proof = stop.verified ? 'verified' : 'NOT VERIFIED';
  const fills = filled === 0 ? '' : `, ${filled} filled`;
  const absent = rejected === 0 ? '' : `, ${rejected} never there`;
  const ends = `${cancelled} of ${counted(of, 'open order')} cancelled${fills}${absent}`;
  const rows = [['at stop', `${ends}, ${proof}`]];
  if (foreign > 0)
    rows.push(['', `at least ${counted(foreign, 'open order')} there not of this bot`]);
  for (const order of stop.remaining) {
    rows.push(['', `may still rest: ${orderText(order, summary)}`]);
  }
  if (embedded === undefined) return stop.verified ? rows : [...rows, ...remedyRows(summary)];
  const { resting, requestsPeak: peak } = embedded;
  const pace = peak === undefined ? '' : `, at most ${counted(peak, 'request')} in any second`;
  return [...rows, ['exchange', `${counted(resting, 'order')} left on it${pace}`]];
}

type Remaining = Summary['stop']['remaining'][number];

/** An order by what the exchange's lists show of it, and by its ids. */
function orderText(order: Remaining, { status }: Summary): string {
  const { market, side, price, amount, clientOrderId } = order;
  const rules = status.markets.find((known) => known.market.id === market)?.market;
  const size = rules === undefined ? `${amount}` : amount.toFixed(rules.amountScale);
  const at = rules === undefined ? `${price}` : price.toFixed(rules.priceScale);
  const id = 'exchangeOrderId' in order ? order.exchangeOrderId : undefined;
  const known = id === undefined ? 'the exchange may not have it' : `id ${id}`;
  return `${market} ${side} ${size} @ ${at}, ${known}, client id ${clientOrderId}`;
}

/** How to find out what became of the remaining orders, and how to cancel those that rest. */
function remedyRows({ file, venueSet, stop, status, journal }: Summary): string[][] {
  const { remaining, arrivesUntilMs, lapseAtMs } = stop;
  const named = remaining.map(({ market }) => market);
  const markets = new Set(named.length > 0 ? named : status.markets.map(({ market }) => market.id));
  const rows: string[][] = [];
  if (lapseAtMs !== undefined) {
    rows.push(['', `the exchange cancels what rests in these markets by ${timeOfDay(lapseAtMs)}`]);
  }
  for (const market of markets) {
    const place = ['--market', market, '--venue-config', file, ...venueSet.flatMap(asFlag)];
    const look = commandLine(['orders', 'list', ...place, '--show', 'all']);
    rows.push(['', `to look: ${look}`]);
    rows.push(['', `to cancel all there: ${commandLine(['orders', 'cancel-all', ...place])}`]);
  }
  if (arrivesUntilMs !== undefined) {
    const until = timeOfDay(arrivesUntilMs);
    rows.push(['', `an order that is not listed may still arrive until ${until}; ${NEVER_WAS}`]);
  }
  const { path, hash } = journal;
  if (path === undefined) return rows;
  const traded = new Set(status.markets.map(({ market }) => market.id));
  return [...rows, ...nextRunRows(remaining, { path, isWritten: hash !== undefined, traded })];
}

interface NextRun {
  /** The journal's path. */
  readonly path: string;
  /** Whether every event was written to it. */
  readonly isWritten: boolean;
  /** The markets that the run traded. */
  readonly traded: ReadonlySet<string>;
}

/** What the next run does with the orders that are left, and which of them a person must settle. */
function nextRunRows(
  remaining: readonly Remaining[],
  { path, isWritten, traded }: NextRun,
): string[][] {
  const isSettled = (order: Remaining) => order.status === 'unknown' && order.evidence === 'person';
  const rows = remaining.filter(isSettled).map(({ clientOrderId: id }) => {
    const settle = commandLine(['orders', 'settle', id, '--journal', path]);
    return ['', `settle ${id} once more, ${NOT_READ}: ${settle}`];
  });
  const elsewhere = remaining.filter(({ market }) => !traded.has(market));
  for (const market of new Set(elsewhere.map((order) => order.market))) {
    rows.push(['', `${market} is not traded here: ${NOT_TRADED}`]);
  }
  const isFoundOut = (order: Remaining) => !isSettled(order) && traded.has(order.market);
  if (remaining.length > 0 && !remaining.some(isFoundOut)) return rows;
  return [['', isWritten ? NEXT_RUN : `${IF_WRITTEN} ${NEXT_RUN}`], ...rows];
}

function asFlag(setting: string): string[] {
  return ['--set', setting];
}

const NEVER_WAS = 'if it is not listed then, it was never placed';
const NOT_READ = 'no such order was found under the id that was given';
const NOT_TRADED = 'a next run looks for what is left there in its first minutes only';
const IF_WRITTEN = 'once the journal can be written again,';
const NEXT_RUN =
  'a next run with this journal finds out what became of them, and sends none of them again';

function indent(line: string): string {
  return `  ${line}`;
}
