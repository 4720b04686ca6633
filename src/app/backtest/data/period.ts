import { HOUR_MS, readMoment } from '../../../kernel/index.ts';
import { AppError } from '../../errors.ts';
import type { BacktestDeployment } from '../deployment.ts';
import { momentText } from '../moment.ts';
import { SILENCE_MS } from './findings/silence-findings.ts';
import type { Source } from './source.ts';

/** The time that a run covers, its warm-up included. Milliseconds since the epoch. */
export interface Period {
  /** From when on data before `warmFromMs` may be told as known history. Default: all of them. */
  readonly knownFromMs?: number;
  /** When the warm-up begins: from here on strategies hear the data as they come. */
  readonly warmFromMs: number;
  /** When the warm-up is over: from here on wishes of strategies count. */
  readonly fromMs: number;
  /** End, not included. */
  readonly toMs: number;
}

/**
 * The period of a run: as configured, else the time for which all markets have data.
 *
 * @throws {AppError} `configuration` when its end is not after its beginning; `recording` when a
 * market has no data in it.
 */
export function periodOf(
  { backtest, yaml }: BacktestDeployment,
  sources: readonly Source[],
): Period {
  const firstMs = Math.max(...sources.map((source) => source.firstMs));
  const fromMs = readMoment(backtest.from) ?? firstMs + backtest.warmUpHours * HOUR_MS;
  const toMs = readMoment(backtest.to) ?? Math.min(...sources.map((source) => source.endMs));
  const texts = `${momentText(fromMs)} to ${momentText(toMs)}`;
  if (backtest.from !== undefined && backtest.to !== undefined && toMs <= fromMs) {
    const what = `Cannot replay ${texts}: the end is not after the beginning`;
    throw new AppError('configuration', `${yaml.locate(['backtest', 'to'])}: ${what}`);
  }
  for (const { name, firstMs: first, endMs: end } of sources) {
    if (end > fromMs && first < toMs && toMs > fromMs) continue;
    const place = yaml.locate(['backtest', backtest.from === undefined ? 'to' : 'from']);
    const has = `it has ${momentText(first)} to ${momentText(end)}`;
    const what = `Cannot replay ${texts}: ${name} has no data then, ${has}`;
    throw new AppError('recording', `${place}: ${what}`);
  }
  // Time without any data would count as time in which nothing was earned.
  const earliestMs = Math.min(...sources.map((source) => source.firstMs));
  return {
    warmFromMs: Math.max(fromMs - backtest.warmUpHours * HOUR_MS, earliestMs),
    fromMs: Math.max(fromMs, earliestMs),
    toMs: Math.min(toMs, Math.max(...sources.map((source) => source.endMs))),
  };
}

/**
 * The period that a run has measured, given the time of its last row. It ends with that row if the
 * run was interrupted or its end lies in a hole of the data.
 */
export function measuredPeriod(
  period: Period,
  { sources, lastMs, interrupted, holdsLast }: PlayedRows,
): Period {
  const longestMs = Math.max(
    ...sources.map(({ kind, stepMs }) => (kind === 'candles' ? stepMs : SILENCE_MS)),
  );
  // A last candle that only opens ends the run a candle early.
  const usualMs = holdsLast ? 2 * longestMs : longestMs;
  const isShort = interrupted || period.toMs - lastMs >= usualMs;
  return isShort ? { ...period, toMs: lastMs } : period;
}

interface PlayedRows {
  readonly sources: readonly Source[];
  /** Milliseconds since the epoch. */
  readonly lastMs: number;
  readonly interrupted: boolean;
  /** Whether the last candle of each market only opens. */
  readonly holdsLast: boolean;
}

/** The error for a period in which no dataset has a row. */
export function nothingPlayed(
  { backtest, yaml }: BacktestDeployment,
  { sources, period: { fromMs, toMs } }: { sources: readonly Source[]; period: Period },
): AppError {
  const place = yaml.locate(['backtest', backtest.from === undefined ? 'to' : 'from']);
  const [name = '', ...others] = sources.map((source) => source.name);
  const has = others.length === 0 ? 'has' : 'have';
  // A missing quote goes unnoticed: a check of quotes finds only the gaps that a recording admits.
  const advice = sources.some(({ kind }) => kind === 'quotes')
    ? ''
    : ` (\`tradewind data check ${name}\` tells where rows are missing)`;
  const what =
    `Cannot replay ${momentText(fromMs)} to ${momentText(toMs)}: ` +
    `${[name, ...others].join(' and ')} ${has} no row then, a period with data is wanted${advice}`;
  return new AppError('recording', `${place}: ${what}`);
}

/** Says where the data begin later, or end earlier, than asked for, for the warm-up too. */
export function periodNotes({ backtest }: BacktestDeployment, period: Period): string[] {
  const { warmFromMs, fromMs, toMs } = period;
  const asked = { from: readMoment(backtest.from), to: readMoment(backtest.to) };
  const notes: string[] = [];
  if (asked.from !== undefined && asked.from < fromMs) {
    notes.push(
      `The data begin at ${momentText(fromMs)} UTC, later than asked: the run is measured from then.`,
    );
  }
  const warmedMs = fromMs - warmFromMs;
  if (backtest.warmUpHours * HOUR_MS - warmedMs >= 1) {
    const begin = `the data begin at ${momentText(warmFromMs)} UTC`;
    const hours = (warmedMs / HOUR_MS).toFixed(1);
    notes.push(`The warm-up is ${hours} hours, not ${backtest.warmUpHours} as asked: ${begin}.`);
  }
  if (asked.to !== undefined && asked.to > toMs) {
    notes.push(
      `The data end at ${momentText(toMs)} UTC, earlier than asked: the run is measured until then.`,
    );
  }
  return notes;
}
