import type { DatasetCoverage, PlainSettings, RunRecord } from '../../report/index.ts';
import type { Status } from '../status.ts';
import { version } from '../version.ts';
import type { BacktestConfig } from './config.ts';
import { type Period, periodNotes } from './data.ts';
import type { BacktestDeployment } from './deployment.ts';
import { leftOpen } from './left-open.ts';
import { momentText } from './moment.ts';
import type { RowFeed } from './row-feed.ts';
import type { Source } from './source.ts';
import type { Stage } from './stage.ts';

export interface RunEnd {
  readonly deployment: BacktestDeployment;
  /** As it stood before the last orders were cancelled. */
  readonly status: Status;
  readonly interrupted: boolean;
}

/** What a run hands to the report. */
export function recordOf(stage: Stage, end: RunEnd): RunRecord {
  const { sources, period, recorder, journal, meter, clock } = stage;
  const { deployment, status, interrupted } = end;
  const { config } = deployment;
  const [first] = stage.exchange.models.values();
  const { confession: ofModel = [] } = first?.model ?? {};
  const confession = [...ofModel, ...lentText(deployment.backtest), ...stage.latency.confession];
  const rows = stage.feeds.reduce((sum, feed) => sum + feed.rows, 0);
  const { orderCount, fills, missed } = recorder;
  const { tally } = status;
  return {
    name: config.name,
    mode: 'backtest',
    version: version(),
    settings: plainSettings(deployment, stage.strategies),
    seed: config.seed ?? '',
    period: { from: period.fromMs, to: clock.now() },
    ...(interrupted && { stopped: { at: clock.now(), end: period.toMs } }),
    markets: sources.map(({ market }) => market),
    quote: stage.quote,
    strategies: [...stage.names.values()],
    ...(first && { fillModel: { name: first.model.name, confession } }),
    curve: meter.curve(),
    prices: stage.charts.columns(),
    ...{ fills, missed },
    passed: new Map(sources.map(({ market: { id } }) => [id, stage.prices.cell(id).passed])),
    refusals: Array.from([...tally.refusals, ...recorder.rejections], ([code, count]) => ({
      code,
      count,
    })),
    coverage: sources.map((source, at) => coverageOf(source, { feed: stage.feeds[at]!, period })),
    journal: { hash: journal.hash() },
    counts: {
      events: rows,
      intents: [...tally.wishes.values()].reduce((sum, count) => sum + count, 0),
      orders: orderCount,
      fills: fills.length,
    },
    notes: [
      ...periodNotes(deployment, period),
      ...stage.firstRefusals.notes(),
      ...stage.unpaidFees.notes(),
      ...(interrupted ? [interruption(period, clock.now())] : leftOpen(stage, deployment.backtest)),
    ],
  };
}

/** What the account was lent, so that it could trade what it does not own. */
function lentText({ lent }: Pick<BacktestConfig, 'lent'>): string[] {
  const sums = Object.entries(lent).map(([currency, amount]) => `${amount} ${currency}`);
  if (sums.length === 0) return [];
  return [
    `The account is lent ${sums.join(' and ')} from beginning to end, to sell or to pay with: that ` +
      'costs nothing, counts in no figure, and nobody calls it back when prices turn.',
  ];
}

function interruption({ fromMs, toMs }: Period, nowMs: number): string {
  const part = Math.round((100 * (nowMs - fromMs)) / (toMs - fromMs));
  return `Interrupted at ${momentText(nowMs)} UTC, after ${part} % of the period.`;
}

/**
 * The effective settings, those that strategies' own schemas added among them. The venue is the one
 * that a backtest has, whatever the file names.
 */
function plainSettings(
  { config }: BacktestDeployment,
  instances: Stage['strategies'],
): PlainSettings {
  const strategies = config.strategies.map((entry, at) => {
    return { ...entry, params: instances[at]!.params };
  });
  const venue = { kind: 'simulated' };
  return JSON.parse(JSON.stringify({ ...config, venue, strategies })) as PlainSettings;
}

function coverageOf(
  { name, firstMs, endMs }: Source,
  { feed, period }: { readonly feed: RowFeed; readonly period: Period },
): DatasetCoverage {
  const { rows, findings, missingMs } = feed;
  const from = Math.max(firstMs, period.warmFromMs);
  const to = Math.min(endMs, period.toMs);
  const share = (to - from - missingMs) / (period.toMs - period.warmFromMs);
  return { name, rows, from, to, coverage: Math.max(0, Math.min(1, share)), findings };
}
