import { literal } from '../store/sql.ts';

/** Date formats that a mapping may name; others are recognised without it. */
export const DATE_FORMATS = ['dd-mm-yyyy', 'mm-dd-yyyy', 'yyyy-mm-dd', 'yyyymmdd'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

/** The last day of 2024 in each format. */
export const DATE_EXAMPLES: Readonly<Record<DateFormat, string>> = {
  'dd-mm-yyyy': '31-12-2024',
  'mm-dd-yyyy': '12-31-2024',
  'yyyy-mm-dd': '2024-12-31',
  yyyymmdd: '20241231',
};

/** The formats as `strptime` writes them; other separators have been replaced by dashes. */
const DATES: Readonly<Record<DateFormat, string>> = {
  'dd-mm-yyyy': '%d-%m-%Y',
  'mm-dd-yyyy': '%m-%d-%Y',
  'yyyy-mm-dd': '%Y-%m-%d',
  yyyymmdd: '%Y%m%d',
};
const TIMES = ['%H:%M', '%H:%M:%S', '%H:%M:%S.%f', '%I:%M %p', '%I:%M:%S %p', '%H%M', '%H%M%S'];

/**
 * SQL for the time that a text in this format tells, milliseconds since the epoch; NULL for any
 * other text and for a year of two digits.
 */
export function dateOf(text: string, format: DateFormat): string {
  return `date_ms(epoch_us(${instantOf(text, format)}))`;
}

function instantOf(text: string, format: DateFormat): string {
  const plain = `regexp_replace(trim(${text}), '^(\\d+)[./-](\\d+)[./-](\\d+)', '\\1-\\2-\\3')`;
  const date = DATES[format];
  const forms = [date, ...TIMES.map((time) => `${date} ${time}`)].map(literal).join(', ');
  return `try_strptime(${plain}, [${forms}])`;
}

/**
 * Dates that `time_ms` cannot read or takes for stamps since the epoch, and how they are rewritten
 * with the year first. With dots nobody writes the month first; twelve digits would be milliseconds
 * of 1976.
 */
const OTHERS = [
  ['^(\\d\\d)\\.(\\d\\d)\\.(\\d{4})', '\\3-\\2-\\1'],
  ['^(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d)(\\d\\d)(\\d\\d)$', '\\1-\\2-\\3 \\4:\\5:\\6'],
  ['^(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d)(\\d\\d)$', '\\1-\\2-\\3 \\4:\\5'],
  ['^(\\d{4})(\\d\\d)(\\d\\d) (\\d\\d:\\d\\d)$', '\\1-\\2-\\3 \\4'],
  [
    '^(19[7-9]\\d|20\\d\\d)(0[1-9]|1[0-2])([0-2]\\d|3[01])([01]\\d|2[0-3])([0-5]\\d)$',
    '\\1-\\2-\\3 \\4:\\5',
  ],
] as const;

/** A day such as `Jan 31, 2024`. */
const NAMED = /^[A-Z][a-z]{2} \d\d?, \d{4}$/;
const DAY = /^(\d{1,4})[/-](\d\d?)[/-](\d{1,4})(?!\d)/;

/**
 * The order of day and month in dates with slashes or dashes: a number above twelve is a day.
 * Undefined where the dates of a file do not show it, and for the usual form that begins with the
 * year.
 */
function orderOf(cells: readonly string[]): DateFormat | undefined {
  const dates = cells.filter((cell) => cell !== '').map((cell) => DAY.exec(cell)?.slice(1) ?? []);
  if (dates.some(({ length }) => length === 0) || dates.length === 0) return undefined;
  const areLong = (at: number): boolean => dates.every((date) => date[at]!.length === 4);
  if (areLong(0)) {
    const isShort = dates.some(([, month, day]) => month!.length < 2 || day!.length < 2);
    return isShort ? 'yyyy-mm-dd' : undefined;
  }
  const [isDayFirst, isDaySecond] = [0, 1].map((at) => dates.some((date) => Number(date[at]) > 12));
  if (!areLong(2) || isDayFirst === isDaySecond) return undefined;
  return isDayFirst ? 'dd-mm-yyyy' : 'mm-dd-yyyy';
}

/**
 * SQL that turns a file's times into texts that `time_ms` reads. A format is recognised if all of
 * `cells` have it; then cells of another one become NULL. `many`: a larger sample, of times or just
 * of their dates, that shows the order of day and month.
 */
export function yearFirst(
  expression: string,
  cells: readonly string[],
  many: readonly string[] = cells,
): string {
  if (many.length > 0 && many.every((cell) => NAMED.test(cell))) {
    return `strftime(try_strptime(trim(${expression}), '%b %d, %Y'), '%Y-%m-%d')`;
  }
  const order = orderOf(many);
  if (order !== undefined) {
    return `strftime(${instantOf(expression, order)}, '%Y-%m-%d %H:%M:%S.%f')`;
  }
  const [form, by] =
    OTHERS.find(([pattern]) => cells.every((cell) => new RegExp(pattern).test(cell))) ?? [];
  if (form === undefined || cells.length === 0) return expression;
  const [text, pattern] = [`trim(${expression})`, literal(form)];
  return `CASE WHEN regexp_matches(${text}, ${pattern})
    THEN regexp_replace(${text}, ${pattern}, ${literal(by)}) END`;
}
