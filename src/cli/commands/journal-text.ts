import {
  type Decimal,
  type JournalDays,
  type JournalRun,
  type JournalTrades,
  type OpenTrade,
  type RunCheck,
  rooms,
} from '../../app/index.ts';
import { counted, formatDuration } from '../format.ts';
import type { Paint } from '../style.ts';
import { grouped, numbers, table, words } from '../table.ts';
import type { Findings } from './context.ts';
import { digits, money, percent, signedMoney, utc } from './values.ts';

const { csvLine, tradeFields } = await rooms.journal();
const { Decimal: Exact } = await rooms.nouns();

/** Significant digits of an average price that people are shown. */
const PRICE_DIGITS = 8;

type Trip = OpenTrade['trip'];
type Adjustment = JournalTrades['adjustments'][number];

export function runsFindings(
  path: string,
  { runs, paint }: { readonly runs: readonly JournalRun[]; readonly paint: Paint },
): Findings {
  // Columns of any length come last: on a narrow terminal they get lines of their own.
  const columns = [
    ...[numbers('run'), words('began'), words('ended'), numbers('orders'), numbers('fills')],
    ...[words('realized'), words('stopped'), words('strategies'), words('seed')],
  ];
  const rows = runs.map((run) => [
    ...[`${run.run}`, toSecond(run.began), endOf(run), `${run.orders}`, `${run.fills}`],
    run.profit
      .map(({ currency, profit }) => `${grouped(signedMoney(profit))} ${currency}`)
      .join(', ') || '-',
    ...[run.reason ?? '-', run.strategies.join(', ') || '-', run.seed ?? '-'],
  ]);
  return {
    json: { journal: path, runs: runs.map(runJson) },
    lines: table(columns, { rows, paint }),
  };
}

function endOf({ state, ended, lastEvent, process }: JournalRun): string {
  if (ended !== undefined) return toSecond(ended);
  if (state === 'running') return `running (process ${process})`;
  return lastEvent === undefined ? 'killed' : `until ${toSecond(lastEvent)}, killed`;
}

/** The result of checking the runs of a journal against their hashes. */
export function checkFindings(
  path: string,
  { checks, paint }: { readonly checks: readonly RunCheck[]; readonly paint: Paint },
): Findings {
  const columns = [numbers('run'), words('began'), numbers('events'), words('by the hashes')];
  const rows = checks.map(({ run, began, events, intact, brokenAt, isPruned }, at) => {
    const broken =
      began === undefined
        ? `missing, run ${checks[at + 1]?.run} follows`
        : `not as written: event ${brokenAt} or one soon after it differs`;
    return [
      ...[`${run}`, began === undefined ? '-' : toSecond(began), `${events}`],
      intact
        ? `as written${isPruned ? ', without its market data, which were dropped' : ''}`
        : paint('bad', broken),
    ];
  });
  return {
    json: {
      journal: path,
      runs: checks.map(({ began, brokenAt, isPruned, ...check }) => {
        return { ...check, began: utcOrNull(began), pruned: isPruned, brokenAt: brokenAt ?? null };
      }),
    },
    lines: table(columns, { rows, paint }),
  };
}

/** The runs for programs, a line per run and currency that it earned in. */
export function runsCsv(runs: readonly JournalRun[]): string {
  const lines = runs.flatMap((run) => {
    const { profit, strategies, ...told } = runJson(run);
    const own = [...RUN_FIELDS.map((name) => told[name]), strategies.join(' ')];
    return (profit.length === 0 ? [undefined] : profit).map((sum) =>
      csvLine([...own, sum?.currency, sum?.profit, sum?.fees]),
    );
  });
  return [csvLine([...RUN_FIELDS, 'strategies', 'currency', 'profit', 'fees']), ...lines].join('');
}

const RUN_FIELDS = [
  ...(['run', 'began', 'ended', 'lastEvent', 'state', 'process', 'seed'] as const),
  ...(['orders', 'fills', 'reason'] as const),
] as const;

function runJson({ began, ended, lastEvent, process, seed, profit, reason, ...run }: JournalRun) {
  return {
    ...run,
    ...{ began: utc(began), ended: utcOrNull(ended), lastEvent: utcOrNull(lastEvent) },
    ...{ process: process ?? null, seed: seed ?? null, reason: reason ?? null },
    profit: profit.map(moneyJson),
  };
}

/** A line with its exact money as texts. */
function moneyJson<T extends { readonly profit: Decimal; readonly fees: Decimal }>(line: T) {
  return { ...line, profit: digits(line.profit), fees: digits(line.fees) };
}

interface FoundTrades {
  readonly found: JournalTrades;
  readonly paint: Paint;
  /** The run that was asked for: what was open at its end is shown even if it is gone. */
  readonly run: number | undefined;
}

/** Closed trades, then the open ones. */
export function tradesFindings(path: string, { found, paint, run }: FoundTrades): Findings {
  const { closed, open, adjustments } = found;
  const shown = open.filter(({ isGone }) => run !== undefined || !isGone);
  const json = {
    ...{ journal: path, closed: closed.map(tripJson), open: open.map(openJson) },
    adjustments: adjustments.map(adjustmentJson),
  };
  const gone = open.length - shown.length;
  const lines = [
    ...table(CLOSED, { rows: closed.map(closedRow), paint }),
    ...['', paint('strong', 'still open')],
    ...table(OPEN, { rows: shown.map(openRow), paint }),
    ...goneLines(gone, { what: `${gone} more`, flags: '--run, --csv, --json' }),
    ...(adjustments.length === 0 ? [] : ['', paint('strong', 'set by hand')]),
    ...(adjustments.length === 0 ? [] : table(SET, { rows: adjustments.map(setRow), paint })),
  ];
  return { json, lines };
}

const SAME = [words('strategy'), words('market'), words('side')];
const CLOSED = [
  ...[words('closed'), ...SAME, numbers('amount'), numbers('entry'), numbers('exit')],
  ...[words('held for'), numbers('fees'), numbers('profit'), words(''), words('share')],
];
const OPEN = [
  ...[words('opened'), ...SAME, numbers('held'), numbers('entry'), numbers('fees so far')],
  ...[numbers('profit so far'), words('')],
];

const SET = [
  ...[words('set'), words('strategy'), words('market'), numbers('was'), numbers('is')],
  ...[numbers('worth'), words('')],
];

function setRow({ time, strategy, market, before, after, value }: Adjustment): string[] {
  const [was, is] = [digits(before), digits(after)];
  return [toSecond(time), strategy, market, was, is, money(value.abs()), quoteOf(market)];
}

function adjustmentJson({ run, time, strategy, market, before, after, value }: Adjustment) {
  const exact = { before: digits(before), after: digits(after), value: digits(value) };
  return { run, time: utc(time), strategy, market, ...exact };
}

const quoteOf = (market: string): string => market.split('_')[1] ?? '';

function closedRow(trip: Trip): string[] {
  const { closeTime = Number.NaN, openTime, strategy, market, side, amount } = trip;
  return [
    ...[toSecond(closeTime), strategy, market, side, digits(amount)],
    ...[average(trip.entryPrice), average(trip.exitPrice), formatDuration(closeTime - openTime)],
    ...[...moneyCells(trip), percent(trip.profitShare)],
  ];
}

function openRow({ trip, held }: OpenTrade): string[] {
  const { openTime, strategy, market, side, entryPrice } = trip;
  const amount = signedMoney(held.amount);
  return [
    ...[toSecond(openTime), strategy, market, side, amount, average(entryPrice)],
    ...moneyCells(trip),
  ];
}

/** Fees, profit and currency as in `trades.csv`, rounded to what a person reads. */
function moneyCells(trip: Trip): string[] {
  const { fees, profit, currency } = tradeFields(trip);
  return [money(Exact.of(fees!)), signedMoney(Exact.of(profit!)), `${currency}`];
}

/** `what` is gone with an exchange that ended with its run; `flags` still show it. */
function goneLines(count: number, { what, flags }: Record<'what' | 'flags', string>): string[] {
  if (count === 0) return [];
  return [`${what} stayed open on an exchange that ended with its run (shown with ${flags})`];
}

/** The columns of `trades.csv`; money and prices as texts. */
function tripJson(trip: Trip) {
  const texts = Object.entries(tradeFields(trip)).map(([name, value]) => {
    const isCount = name === 'fills' || name === 'durationMs';
    return [name, typeof value === 'number' && !isCount ? digits(value) : (value ?? null)] as const;
  });
  return Object.fromEntries(texts) as Record<string, string | number | null>;
}

function openJson({ trip, run, held, isGone }: OpenTrade) {
  return { ...tripJson(trip), run, held: digits(held.amount), isGone };
}

/** Closed trades by day, then what open trades have earned so far. */
export function daysFindings(
  path: string,
  { found, paint }: { readonly found: JournalDays; readonly paint: Paint },
): Findings {
  const { days, open, gone } = found;
  const columns = [
    ...[words('day'), numbers('trades'), numbers('fees'), numbers('profit'), numbers('sum')],
    words(''),
  ];
  const rows = days.map(({ day, currency, trades, fees, profit, sum }) => [
    ...[dayOf(day), `${trades}`, money(fees), signedMoney(profit), signedMoney(sum), currency],
  ]);
  return {
    json: {
      journal: path,
      days: days.map(dayJson),
      open: open.map(moneyJson),
      gone,
    },
    lines: [
      ...table(columns, { rows, paint }),
      ...open.map(
        ({ currency, trades, profit }) =>
          `still open: ${counted(trades, 'trade')}, ${grouped(signedMoney(profit))} ${currency} so far, ` +
          'in no day yet',
      ),
      ...goneLines(gone, { what: counted(gone, 'trade'), flags: '--run' }),
    ],
  };
}

/** Closed trades by day, for programs; open trades belong to no day. */
export function daysCsv({ days }: JournalDays): string {
  const lines = days.map((one) => {
    const told = dayJson(one);
    return csvLine(DAY_FIELDS.map((name) => told[name]));
  });
  return [csvLine(DAY_FIELDS), ...lines].join('');
}

const DAY_FIELDS = ['day', 'currency', 'trades', 'fees', 'profit', 'sum'] as const;

function dayJson({ day, sum, ...line }: JournalDays['days'][number]) {
  return { day: dayOf(day), ...moneyJson(line), sum: digits(sum) };
}

const dayOf = (time: number): string => utc(time).slice(0, 10);

/** `2024-01-31 10:15:00`, UTC. */
const toSecond = (time: number): string => utc(time).slice(0, 19).replace('T', ' ');

const utcOrNull = (time: number | undefined) => (time === undefined ? null : utc(time));

function average(price: number | undefined): string {
  return price === undefined ? '-' : digits(Number(price.toPrecision(PRICE_DIGITS)));
}
