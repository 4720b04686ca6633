import { counted } from '../../../kernel/index.ts';
import type { DatasetCoverage, RunRecord } from '../../../report/index.ts';
import { coinLimits } from '../../config/coin-limits.ts';
import type { Status } from '../../status/status.ts';
import { version } from '../../version.ts';
import { confessionOf } from '../confession.ts';
import { edgeFindings } from '../data/findings/edges.ts';
import { gapsMs } from '../data/findings/gaps.ts';
import { SILENCE_MS } from '../data/findings/silence-findings.ts';
import { measuredPeriod, type Period, periodNotes } from '../data/period.ts';
import type { Source } from '../data/source.ts';
import type { BacktestDeployment } from '../deployment.ts';
import type { RowFeed } from '../feeds/row-feed.ts';
import { outageNotes } from '../hearing/outages.ts';
import { momentText } from '../moment.ts';
import { leftOpen } from '../notes/left-open.ts';
import { silentNotes } from '../notes/silent-strategies.ts';
import { unfilledNotes } from '../notes/unfilled.ts';
import { unsellable } from '../notes/unsellable.ts';
import type { Stage } from '../stage.ts';
import { plainSettings } from './plain-settings.ts';

export interface RunEnd {
  readonly deployment: BacktestDeployment;
  /** The status before the last orders were cancelled. */
  readonly status: Status;
  readonly interrupted: boolean;
}

/** The record of a run, from which its report is made. */
export function recordOf(stage: Stage, end: RunEnd): RunRecord {
  const { sources, period, recorder, journal, meter, clock } = stage;
  const { deployment, status, interrupted } = end;
  const { config } = deployment;
  const [first] = stage.exchange.models.values();
  const { name: modelName, confession: ofModel } = first!.model;
  const confession = [
    ...ofModel,
    ...confessionOf(deployment, stage.outages),
    ...stage.latency.confession,
  ];
  const lastMs = Math.min(clock.now(), period.toMs);
  const { closeAtEnd, fill } = deployment.backtest;
  const measured = measuredPeriod(period, {
    ...{ sources, lastMs, interrupted, holdsLast: closeAtEnd === 'open' },
  });
  const rows = stage.feeds.reduce((sum, feed) => sum + feed.rows, 0);
  const { orderCount, fills, missed } = recorder;
  const covered = sources.map((source, at) =>
    coveredBy(source, { feed: stage.feeds[at]!, period, measured, interrupted }),
  );
  const decisive = decisiveNotes(stage, end);
  return {
    name: config.name,
    mode: 'backtest',
    version: version(),
    settings: plainSettings(deployment, stage.strategies),
    seed: config.seed ?? '',
    // A run that ended in its warm-up has measured none of the period.
    period: { from: period.fromMs, to: Math.max(period.fromMs, lastMs) },
    ...(interrupted && { stopped: { at: lastMs, end: period.toMs } }),
    ...{ trading: stage.endings.trading, ended: stage.endings.strategies },
    markets: sources.map(({ market }) => market),
    quote: stage.currency,
    strategies: [...stage.names.values()],
    fillModel: { name: modelName, confession },
    curve: meter.curve(deployment.backtest.report),
    prices: stage.charts.columns(),
    ...{ fills, missed },
    markouts: stage.markouts.read(),
    passed: new Map(sources.map(({ market: { id } }) => [id, stage.prices.cell(id).passed])),
    refusals: refusalsOf(status.tally, recorder),
    coverage: covered.map(({ coverage }) => coverage),
    journalHash: journal.hash(),
    counts: {
      events: rows,
      intents: [...status.tally.wishes.values()].reduce((sum, count) => sum + count, 0),
      orders: orderCount,
      fills: fills.length,
    },
    decisive: decisive.length,
    notes: [
      ...decisive,
      ...periodNotes(deployment, interrupted ? period : measured),
      ...worthNotes(stage),
      ...limitNotes(stage, deployment),
      ...outageNotes(deployment.backtest.simulate.outages, period),
      ...stage.latency.notes,
      ...unfilledNotes({ fills: fills.length, missed: missed.count, fill }),
      ...(interrupted ? [] : leftOpen(stage, deployment.backtest)),
      ...unsellable(stage),
      ...covered.flatMap(({ notes }) => notes),
    ],
  };
}

/** Notes on what decided the run. */
function decisiveNotes(stage: Stage, { status, interrupted }: RunEnd): string[] {
  const { endings, early, strays, machineReads, unmet } = stage;
  const { firstRefusals, sizeLimits, unpaidFees } = stage;
  const { refusals, wishes } = status.tally;
  return [
    ...[...endings.notes(), ...early.notes(wishes), ...strays.notes()],
    ...(interrupted ? [interruption(stage)] : silentNotes(status.strategies, early.strategies)),
    ...[...machineReads.notes(), ...unmet.notes()],
    ...[...firstRefusals.notes(refusals), ...sizeLimits.notes(), ...unpaidFees.notes()],
  ];
}

function refusalsOf(
  { refusals }: Status['tally'],
  { rejections }: Stage['recorder'],
): RunRecord['refusals'] {
  return [
    ...Array.from(refusals, ([code, { wishes, tries }]) => ({ code, count: tries, wishes })),
    ...Array.from(rejections, ([code, count]) => ({
      ...{ code, count, wishes: count, ofOrders: true },
    })),
  ];
}

/** Notes on how the account was valued. */
function worthNotes({ valuation, meter }: Stage): string[] {
  const unpriced = meter.unpriced.map(
    ({ market, currency }) =>
      `No price of ${market} came, by which ${currency} is valued: the worth of the account is not ` +
      'known, and figures that rest on it are left out.',
  );
  return [...(valuation.note === undefined ? [] : [valuation.note]), ...unpriced];
}

/** Warns of default limits, made for money, that count coins here; a start on a venue warns too. */
function limitNotes({ sources }: Stage, deployment: BacktestDeployment): string[] {
  const markets = sources.map(({ market }) => market);
  const warnings = coinLimits(deployment, markets);
  return warnings.map(({ text }) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
}

function interruption({ period: { fromMs, toMs }, clock }: Stage): string {
  const nowMs = Math.min(clock.now(), toMs);
  const part = Math.round((100 * (nowMs - fromMs)) / (toMs - fromMs));
  const where =
    nowMs < fromMs ? 'in the warm-up: nothing was traded' : `after ${part} % of the period`;
  return `Interrupted at ${momentText(nowMs)} UTC, ${where}.`;
}

interface Covered {
  readonly feed: RowFeed;
  /** The period that was to be played, and the part that was measured. */
  readonly period: Period;
  readonly measured: Period;
  readonly interrupted: boolean;
}

/** How much of the period a dataset covers, and what the reader must know about it. */
function coveredBy(
  { name, kind, firstMs, endMs, stepMs, gaps = [] }: Source,
  { feed, period, measured, interrupted }: Covered,
): { readonly coverage: DatasetCoverage; readonly notes: readonly string[] } {
  const { rows, missingMs, missing } = feed;
  const has = { fromMs: firstMs, toMs: endMs };
  const leastMs = kind === 'candles' ? stepMs : SILENCE_MS;
  const edges = edgeFindings(has, { run: measured, leastMs });
  const findings = [...edges, ...feed.findings];
  const from = Math.max(firstMs, period.warmFromMs);
  const wholeTo = Math.min(endMs, period.toMs);
  const to = Math.max(from, Math.min(wholeTo, measured.toMs));
  // Data missing after the last row of all are no part of what was measured. If the run was
  // interrupted, only gaps known beforehand have been counted there.
  const tellsGaps = kind === 'trades' || kind === 'quotes';
  const lostMs = tellsGaps ? gapsMs(gaps, { fromMs: to, toMs: wholeTo }) : 0;
  const behindMs = interrupted ? lostMs : Math.ceil((wholeTo - to) / stepMs) * stepMs;
  const heldMs = to - from - Math.max(0, missingMs - behindMs);
  const coverage = heldMs > 0 ? Math.min(1, heldMs / (measured.toMs - period.warmFromMs)) : 0;
  const told = findings.filter((finding, at) => at <= edges.length || finding === missing);
  return {
    coverage: { name, rows, from, to, coverage, findings },
    notes: dataNotes(name, { told, more: findings.length - told.length }),
  };
}

/** The findings about a dataset that a run tells, with a count of those only the report has. */
function dataNotes(
  name: string,
  { told, more }: { readonly told: readonly string[]; readonly more: number },
): string[] {
  const hint = more === 0 ? '' : ` ${counted(more, 'more finding')} under Data in the report.`;
  return told.map((sentence, at) => `${name}: ${sentence}${at < told.length - 1 ? '' : hint}`);
}
