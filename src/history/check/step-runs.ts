import { INTERVAL_MS } from '../../domain/index.ts';

/** How likely a quiet market may be taken for a mixture. */
const MISTAKEN_MAX = 0.01;
/** Fewest equal steps in a row that look like candles of another resolution. */
const GAPS_MIN = 2;
/** The same for lengths that candles rarely have: halts and recordings by the clock make fewer. */
export const RUN_MIN = 4;
/**
 * SQL for the chance of a step of so many lengths in a market that has a candle in one of as many,
 * where such a step is likeliest: a quarter for a double one, 8 % for one of five.
 */
const stepChance = (lengths: string): string =>
  `pow((${lengths} - 1) / ${lengths}, ${lengths} - 1) / ${lengths}`;

/**
 * SQL for how many equal steps of so many lengths in a row, among all steps, show another
 * resolution: quiet markets have fewer.
 */
export function runMax(steps: number, lengths: string): string {
  return `ceil(ln(${MISTAKEN_MAX / steps}) / ln(${stepChance(lengths)}))`;
}

interface Candles {
  /** How long they are, milliseconds. */
  readonly stepMs: number;
  /** How many there are. */
  readonly count: number;
}

/**
 * SQL for runs of candles at one step: the `time` of the first, the `step`, how many (`run`), their
 * `file` and the `row` of the first.
 *
 * `steps`: SQL of `time`, `file`, `row` and `step`, how far each is behind the one before in its
 * file; files do not overlap.
 */
export function equalRuns(steps: string): string {
  return `SELECT min(time) AS time, step, count(*) AS run, file, arg_min(row, time) AS row FROM
      (SELECT *, row_number() OVER (ORDER BY time)
          - row_number() OVER (PARTITION BY file, step ORDER BY time) AS nth
        FROM (${steps}) WHERE step > 0)
    GROUP BY file, step, nth`;
}

/**
 * SQL for runs at one longer step that are longer than those of a quiet market, with the columns of
 * `equalRuns`. For a length that candles usually have, fewer are enough. Equal gaps, as of a market
 * that halts for an hour twice, look the same.
 */
export function longerRuns(steps: string, { stepMs, count }: Candles): string {
  const isUsual = `list_contains([${Object.values(INTERVAL_MS).join(', ')}]::DOUBLE[], step)`;
  const least = `CASE WHEN ${isUsual} THEN ${GAPS_MIN} ELSE ${RUN_MIN} END`;
  return `SELECT * FROM (${equalRuns(steps)})
    WHERE step > ${stepMs} AND run >= greatest(${least}, ${runMax(count, `(step / ${stepMs})`)})`;
}
