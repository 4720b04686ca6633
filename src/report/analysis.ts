import { type Conventions, conventionsOf } from './config.ts';
import { ReportError } from './errors.ts';
import { type MoneyFormat, moneyFormatOf } from './format.ts';
import { type Facts, factsOf } from './metrics/facts.ts';
import { type Figure, measureAll } from './metrics/metrics.ts';
import type { RunRecord } from './record.ts';

/** A record, measured: what tables, files and the page are made from. */
export interface Analysis {
  readonly record: RunRecord;
  readonly conventions: Conventions;
  readonly facts: Facts;
  /** Every metric, in the order in which they are shown. */
  readonly figures: readonly Figure[];
  readonly money: MoneyFormat;
}

/**
 * Measures a finished run.
 *
 * @throws {ReportError} when the record does not hold together: columns of different lengths, times
 *   that do not rise, or a fill of a market that is not the record's.
 */
export function analyse(record: RunRecord, conventions: Conventions = conventionsOf()): Analysis {
  checkColumns(record);
  const facts = factsOf(record, conventions);
  const money = moneyFormatOf(record.quote, Math.abs(facts.equity.first));
  return { record, conventions, facts, figures: measureAll(facts), money };
}

function checkColumns({ curve, prices }: RunRecord): void {
  const { time, equity, cash, positionValue, positions, buyAndHold } = curve;
  checkRising('equity curve', time);
  checkLengths('equity curve', time, { equity, cash, positionValue, buyAndHold });
  checkLengths('positions', time, Object.fromEntries(positions));
  for (const [market, columns] of prices) {
    checkRising(`prices of ${market}`, columns.time);
    checkLengths(`prices of ${market}`, columns.time, { ...columns });
  }
}

function checkLengths(
  what: string,
  time: Float64Array,
  columns: Readonly<Record<string, Float64Array | undefined>>,
): void {
  for (const [name, column] of Object.entries(columns)) {
    if (column === undefined || column.length === time.length) continue;
    throw new ReportError(
      `Cannot measure the run: ${name} of the ${what} has ${column.length} rows, ` +
        `${time.length} as in its times are wanted`,
    );
  }
}

function checkRising(what: string, time: Float64Array): void {
  for (let at = 1; at < time.length; at++) {
    if (time[at]! > time[at - 1]!) continue;
    throw new ReportError(
      `Cannot measure the run: time ${time[at]} of the ${what} follows ${time[at - 1]}, ` +
        'rising times are wanted',
    );
  }
}
