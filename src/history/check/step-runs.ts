import { INTERVAL_MS } from '../../domain/index.ts';

/** How often a quiet market may be taken for a mixture. */
const MISTAKEN_MAX = 0.01;
/** Two gaps alike are the fewest that look like candles of another resolution. */
const GAPS_MIN = 2;
/** Fewer equal steps in a row show too little: halts and recordings by the clock have as many. */
export const RUN_MIN = 4;
/**
 * The chance of a step of some lengths in the market where it is likeliest, which trades in one of as
 * many: a double one has a quarter in a market that trades half of the time, one of five 8 %.
 */
const stepChance = (lengths: string): string =>
  `pow((${lengths} - 1) / ${lengths}, ${lengths} - 1) / ${lengths}`;

/**
 * How many equal steps of some lengths in a row, among so many, show another resolution: quiet
 * markets have fewer. In SQL.
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
 * Candles that follow each other at one step: as SQL, the `time` of the first, `step`, how many
 * (`run`), their `file` and the `row` of the first.
 *
 * `steps`: SQL of `time`, `file`, `row` and `step`, how far each is behind the one before in its file;
 * files do not overlap.
 */
export function equalRuns(steps: string): string {
  return `SELECT min(time) AS time, step, count(*) AS run, file, arg_min(row, time) AS row FROM
      (SELECT *, row_number() OVER (ORDER BY time)
          - row_number() OVER (PARTITION BY file, step ORDER BY time) AS nth
        FROM (${steps}) WHERE step > 0)
    GROUP BY file, step, nth`;
}

/**
 * Where candles follow each other at one longer step, more often in a row than in a quiet market:
 * `equalRuns` of the same `steps`. Of a length that candles have, fewer are enough. What has gaps
 * alike, as a market that halts for an hour twice, looks the same.
 */
export function longerRuns(steps: string, { stepMs, count }: Candles): string {
  const isUsual = `list_contains([${Object.values(INTERVAL_MS).join(', ')}]::DOUBLE[], step)`;
  const least = `CASE WHEN ${isUsual} THEN ${GAPS_MIN} ELSE ${RUN_MIN} END`;
  return `SELECT * FROM (${equalRuns(steps)})
    WHERE step > ${stepMs} AND run >= greatest(${least}, ${runMax(count, `(step / ${stepMs})`)})`;
}
