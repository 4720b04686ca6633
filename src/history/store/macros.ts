import { TICKS } from '../values.ts';

/**
 * Years of four digits, in microseconds since the epoch: one before 1000 had two digits in the
 * text, one after 9999 was mistyped.
 */
const [DATES_FROM_US, DATES_TO_US] = [Date.UTC(1000) * 1e3, Date.UTC(10_000) * 1e3];
const DATE_MACRO = `CREATE MACRO date_ms(us) AS
  CASE WHEN us >= ${DATES_FROM_US} AND us < ${DATES_TO_US} THEN us / 1e3 END`;

/**
 * Zones that a date may name. Other letters mean several zones, or one that has summer time: the
 * database takes BST for Bangladesh's and CET in July for CEST.
 */
const ZONES = '(UTC|GMT|EST|MST|HST|JST|/[A-Za-z_]+)';

/** Puts the zone of a date right behind the time, where the database reads it. */
const ZONED_MACRO = `CREATE MACRO zoned(x) AS regexp_replace(
  regexp_replace(x, ' ?(UTC|Z)$', 'Z', 'i'), ' (GMT)?([+-]\\d\\d:?\\d\\d)$', '\\2')`;

/** Rewrites dates with dots, and adds the seconds that the database wants before a zone. */
const REWRITTEN_MACRO = `CREATE MACRO rewritten(x) AS regexp_replace(
  regexp_replace(x, '^(\\d{4})\\.(\\d\\d)\\.(\\d\\d)', '\\1-\\2-\\3'),
  '^(\\S{8,10}[ T]\\d\\d?:\\d\\d)( ?[A-Za-z+-])', '\\1:00\\2')`;

/**
 * Stamps of any unit, told apart by their magnitude, and dates of 14 digits such as 20240131093000,
 * which as milliseconds would be of the year 2611, or of 17 with milliseconds. `readTime` reads
 * stamps alike.
 */
const STAMP_MACRO = `CREATE MACRO stamp_ms(x) AS CASE
  WHEN x::DOUBLE < 1e8 THEN NULL
  WHEN x::DOUBLE < 1e11 THEN round(x::DOUBLE * 1e6) / 1e3
  WHEN x::DOUBLE < 1e13 THEN x::DOUBLE
  WHEN x::DOUBLE < 1e14 THEN epoch_us(try_strptime(x, '%Y%m%d%H%M%S')) / 1e3
  WHEN ${TICKS.map(({ from, below }) => `x::DOUBLE >= ${from} AND x::DOUBLE < ${below}`).join(' OR ')}
    THEN NULL
  WHEN x::DOUBLE < 1e16 THEN x::DOUBLE / 1e3
  WHEN x::DOUBLE < 1e17 THEN epoch_us(try_strptime(x, '%Y%m%d%H%M%S%g')) / 1e3
  WHEN x::DOUBLE < 1e20
    THEN (x::DECIMAL(38,0)::HUGEINT // 1000000)::DOUBLE
      + (x::DECIMAL(38,0)::HUGEINT % 1000000)::DOUBLE / 1e6
  END`;

/**
 * A number with an exponent and all its digits: Java and Julia write all digits of a double, and no
 * plus; `savetxt` of NumPy writes eighteen decimals. A spreadsheet and C write six and a plus.
 */
const WHOLE_EXPONENT = '\\d(\\.\\d+)?[eE]\\d\\d?|\\d\\.\\d{9,}[eE]\\+\\d\\d';

/** Stamps and dates as milliseconds since the epoch; NULL for everything else. */
const TIME_MACRO = `CREATE MACRO time_ms(x) AS CASE
  WHEN regexp_full_match(x, '\\d+(\\.\\d*)?') THEN stamp_ms(x)
  WHEN regexp_full_match(x, '${WHOLE_EXPONENT}') THEN stamp_ms(TRY_CAST(x AS DECIMAL(38,6))::VARCHAR)
  WHEN regexp_matches(x, '[A-Za-z]{3,}$') AND NOT regexp_matches(x, '${ZONES}$', 'i') THEN NULL
  ELSE date_ms(epoch_us(coalesce(
    TRY_CAST(zoned(x) AS TIMESTAMPTZ),
    try_strptime(x, '%Y-%m-%d %I-%p')::TIMESTAMPTZ,
    TRY_CAST(rewritten(zoned(x)) AS TIMESTAMPTZ))))
  END`;

const SIDE_MACRO = `CREATE MACRO side_of(x) AS CASE
  WHEN lower(trim(x)) IN ('buy', 'buyer', 'b', 'bid', 'bought', '1') THEN 1
  WHEN lower(trim(x)) IN ('sell', 'seller', 's', 'a', 'ask', 'sold', '-1') THEN -1 END`;

const FLAG_MACRO = `CREATE MACRO side_of_maker(x) AS CASE
  WHEN lower(trim(x)) IN ('true', '1') THEN -1 WHEN lower(trim(x)) IN ('false', '0') THEN 1 END`;

/** Macros of each database, which read cells of files as times and sides. */
export const MACROS: readonly string[] = [
  ...[DATE_MACRO, ZONED_MACRO, REWRITTEN_MACRO, STAMP_MACRO, TIME_MACRO, SIDE_MACRO, FLAG_MACRO],
];
