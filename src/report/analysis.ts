import { type Conventions, conventionsOf } from './config.ts';
import { ReportError } from './errors.ts';
import { type MoneyFormat, moneyFormatOf } from './format.ts';
import { type Facts, factsOf } from './metrics/facts.ts';
import { type Figure, measureAll } from './metrics/metrics.ts';
import type { RunRecord } from './record.ts';

/** A measured record: what tables, files and the page are made from. */
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
  let before: number | undefined;
  for (const { time, positions, ...columns } of curve) {
    checkRising('equity curve', { time, before });
    checkLengths('equity curve', time, columns);
    checkLengths('positions', time, Object.fromEntries(positions));
    before = time.at(-1) ?? before;
  }
  for (const [market, columns] of prices) {
    checkRising(`prices of ${market}`, columns);
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

/** `before`: the last time of the rows before these, if there were any. */
function checkRising(
  what: string,
  { time, before }: { readonly time: Float64Array; readonly before?: number | undefined },
): void {
  let last = before ?? Number.NEGATIVE_INFINITY;
  for (const next of time) {
    if (!(next > last)) {
      throw new ReportError(
        `Cannot measure the run: time ${next} of the ${what} follows ${last}, ` +
          'rising times are wanted',
      );
    }
    last = next;
  }
}
