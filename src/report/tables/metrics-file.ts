import { z } from 'zod';
import type { Analysis } from '../analysis.ts';
import { withoutNoise } from '../doubles.ts';
import { ReportError } from '../errors.ts';
import type { Measured, Metric, Unit } from '../metrics/metric.ts';
import type { Beside, Figure } from '../metrics/metrics.ts';

const values = z.record(z.string(), z.number().nullable());
const reasons = z.record(z.string(), z.string());
const counts = z.record(z.string(), z.number());

/** What `metrics.json` holds. Keys are stable; a figure without a value is null, with a reason. */
const metricsFile = z.object({
  format: z.literal(1),
  name: z.string(),
  mode: z.string(),
  version: z.string(),
  seed: z.string(),
  quote: z.string(),
  /** First equity, money of the account. */
  startingEquity: z.number().nullable(),
  /** Milliseconds since the epoch. */
  period: z.object({ from: z.number(), to: z.number() }),
  /** When it was stopped by hand, and when it would have ended; null if it went to its end. */
  stopped: z.object({ at: z.number(), end: z.number() }).nullable().default(null),
  /** What kept new orders from leaving at the end; null if nothing did. */
  trading: z
    .object({ state: z.string(), at: z.number(), reason: z.string() })
    .nullable()
    .default(null),
  /** Strategies that ended before the run did: `failed`, or `ended` by themselves. */
  ended: z
    .array(
      z.object({
        ...{ strategy: z.string(), status: z.string() },
        ...{ at: z.number(), reason: z.string() },
      }),
    )
    .default([]),
  strategies: z.array(z.string()),
  markets: z.array(z.string()),
  fillModel: z.string(),
  /** What the run simulates and leaves out: whole sentences; empty on a real exchange. */
  confession: z.array(z.string()).default([]),
  journalHash: z.string(),
  conventions: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  metrics: values,
  reasons,
  buyAndHold: values,
  buyAndHoldReasons: reasons,
  /** The starting balances, had nothing been traded; absent if they are in `quote` alone. */
  leftAlone: values.optional(),
  leftAloneReasons: reasons.optional(),
  /** `fraction` 0.01 is one percent, `duration` milliseconds, `quote` money of the account. */
  units: z.record(z.string(), z.string()),
  counts,
  /** By code: how often it was given, and for how many wishes, which are tried while they stand. */
  refusals: counts,
  refusedWishes: counts.default({}),
  /** Share of the period with data, by dataset. */
  coverage: counts,
  /** Closed trades by strategy and market: money of the account, null where not known. */
  parts: z
    .array(
      z.object({
        ...{ strategy: z.string(), market: z.string() },
        ...{ trades: z.number(), wins: z.number(), open: z.number() },
        ...{ profit: z.number().nullable(), fees: z.number().nullable() },
      }),
    )
    .default([]),
  /** What the market did after fills, in each market's quote currency; `gained` is before fees. */
  markouts: z
    .array(
      z.object({
        ...{ market: z.string(), liquidity: z.string(), afterMs: z.number() },
        ...{ fills: z.number(), value: z.number(), gained: z.number() },
      }),
    )
    .default([]),
});
export type MetricsFile = z.infer<typeof metricsFile>;

/** The figures of a run as `metrics.json` holds them. */
export function metricsFileOf({ record, conventions, facts, figures }: Analysis): MetricsFile {
  const { name, mode, version, seed, quote, period, fillModel, journalHash } = record;
  const measured = figures.map((figure) => [figure.metric, figure.measured] as const);
  const held = besideOf(figures, 'buyAndHold');
  const alone = besideOf(figures, 'leftAlone');
  const { first } = facts.equity;
  const money = (value: number): number | null => {
    return Number.isNaN(value) ? null : withoutNoise(value, first);
  };
  return {
    ...{ format: 1, name, mode, version, seed, quote },
    startingEquity: Number.isFinite(first) ? withoutNoise(first) : null,
    period: { ...period },
    stopped: record.stopped ?? null,
    trading: record.trading ?? null,
    ended: record.ended.map((one) => ({ ...one })),
    strategies: [...record.strategies],
    markets: record.markets.map(({ id }) => id),
    fillModel: fillModel.name,
    confession: [...fillModel.confession],
    journalHash,
    conventions: { ...conventions },
    metrics: valuesOf(measured, first),
    reasons: reasonsOf(measured),
    buyAndHold: valuesOf(held, first),
    buyAndHoldReasons: reasonsOf(held),
    ...(facts.leftAlone && {
      ...{ leftAlone: valuesOf(alone, first), leftAloneReasons: reasonsOf(alone) },
    }),
    units: Object.fromEntries(figures.map(({ metric }) => [metric.id, metric.unit])),
    counts: { ...record.counts },
    refusals: Object.fromEntries(record.refusals.map(({ code, count }) => [code, count])),
    refusedWishes: Object.fromEntries(record.refusals.map(({ code, wishes }) => [code, wishes])),
    coverage: Object.fromEntries(
      record.coverage.map(({ name, coverage }) => [name, withoutNoise(coverage)]),
    ),
    parts: facts.parts.map(({ profit, fees, ...part }) => {
      return { ...part, profit: money(profit), fees: money(fees) };
    }),
    markouts: record.markouts.map(({ value, gained, ...markout }) => {
      return { ...markout, value: withoutNoise(value), gained: withoutNoise(gained, value) };
    }),
  };
}

type Named = readonly (readonly [metric: Metric, measured: Measured])[];

function besideOf(figures: readonly Figure[], key: Beside): Named {
  return figures.flatMap(({ metric, [key]: beside }) =>
    beside === undefined ? [] : [[metric, beside] as const],
  );
}

/** Values without noise. Money is a difference of equities, a fraction often one from 1. */
function valuesOf(named: Named, equity: number): Record<string, number | null> {
  const wholes: Partial<Record<Unit, number>> = { quote: equity, fraction: 1 };
  const clean = ({ unit }: Metric, value: number): number => withoutNoise(value, wholes[unit]);
  return Object.fromEntries(
    named.map(([metric, { value }]) => [
      metric.id,
      value === undefined ? null : clean(metric, value),
    ]),
  );
}

function reasonsOf(named: Named): Record<string, string> {
  return Object.fromEntries(
    named.flatMap(([{ id }, { reason }]) => (reason === undefined ? [] : [[id, reason]])),
  );
}

/** The text of `metrics.json`. */
export function metricsJson(analysis: Analysis): string {
  return `${JSON.stringify(metricsFileOf(analysis), null, 2)}\n`;
}

/**
 * Reads a `metrics.json` back. Unknown keys are left out.
 *
 * @throws {ReportError} when the text is not one.
 */
export function parseMetrics(text: string): MetricsFile {
  try {
    return metricsFile.parse(JSON.parse(text));
  } catch (cause) {
    const [issue] = cause instanceof z.ZodError ? cause.issues : [];
    const what =
      issue === undefined ? 'it is not JSON' : `${issue.path.join('.')}: ${issue.message}`;
    throw new ReportError(`Cannot read the metrics: ${what}, a metrics.json is wanted`, { cause });
  }
}
