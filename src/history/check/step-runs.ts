import { INTERVAL_MS } from '../../domain/index.ts';

/** How often a quiet market may be taken for a mixture. */
const MISTAKEN_MAX = 0.01;
/** Two gaps alike are the fewest that look like candles of another resolution. */
const GAPS_MIN = 2;
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
 * Where candles follow each other at the length of longer ones, more often in a row than in a quiet
 * market: as SQL, the time of the first, `step`, how many (`run`) and their `file`. What has gaps
 * alike, as a market that halts for an hour twice, looks the same.
 *
 * `steps`: SQL of `time`, `file` and `step`, how far each is behind the one before in its file.
 */
export function longerRuns(steps: string, { stepMs, count }: Candles): string {
  const longer = Object.values(INTERVAL_MS).filter((ms) => ms > stepMs);
  return `SELECT min(time) AS time, step, count(*) AS run, file FROM
      (SELECT *, row_number() OVER (PARTITION BY file ORDER BY time)
          - row_number() OVER (PARTITION BY file, step ORDER BY time) AS nth
        FROM (${steps}) WHERE step > 0)
    WHERE list_contains([${longer.join(', ')}]::DOUBLE[], step)
    GROUP BY file, step, nth
    HAVING count(*) >= greatest(${GAPS_MIN}, ${runMax(count, `(step / ${stepMs})`)})`;
}
