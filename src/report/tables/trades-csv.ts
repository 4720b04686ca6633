import { currenciesOf } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { withoutNoise } from '../doubles.ts';
import type { RoundTrip } from '../trips/round-trip.ts';

/** The columns of `trades.csv`: the head of each, and its value for a trip. */
const COLUMNS: Readonly<Record<string, (trip: RoundTrip) => string | number | undefined>> = {
  market: ({ market }) => market,
  strategy: ({ strategy }) => strategy,
  side: ({ side }) => side,
  openTime: ({ openTime }) => iso(openTime),
  closeTime: ({ closeTime }) => (closeTime === undefined ? undefined : iso(closeTime)),
  durationMs: ({ openTime, closeTime }) =>
    closeTime === undefined ? undefined : withoutNoise(closeTime - openTime, closeTime),
  amount: ({ amount }) => amount,
  entryPrice: ({ entryPrice }) => entryPrice,
  exitPrice: ({ exitPrice }) => exitPrice,
  entryValue: ({ entryValue }) => entryValue,
  fees: ({ fees }) => fees,
  profit: ({ profit }) => profit,
  currency: ({ market }) => currenciesOf(market).quote,
  profitShare: ({ profitShare }) => profitShare,
  adverse: ({ adverse }) => adverse,
  favourable: ({ favourable }) => favourable,
  fills: ({ fills }) => fills,
};

/** The columns of `trades.csv` as they stand there, numbers to 15 digits. */
export type TradeFields = Readonly<Record<string, string | number | undefined>>;

/** What `trades.csv` says of a round trip, by the heads of its columns. */
export function tradeFields(trip: RoundTrip): TradeFields {
  const fields = Object.entries(COLUMNS).map(([head, of]) => [head, toDigits(of(trip))]);
  return Object.fromEntries(fields) as TradeFields;
}

/**
 * Round trips as the lines of a CSV (RFC 4180): a header, times in UTC as ISO 8601, money in
 * `currency`, shares as fractions, numbers to 15 digits. A trip still open has no closing values.
 */
export function* tradesCsv(trips: Iterable<RoundTrip>): Generator<string> {
  yield csvLine(Object.keys(COLUMNS));
  for (const trip of trips) yield csvLine(Object.values(tradeFields(trip)));
}

/** One line of a CSV (RFC 4180): undefined and null are empty, numbers have no exponent. */
export function csvLine(values: readonly Field[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

type Field = string | number | null | undefined;

const iso = (time: number): string => new Date(time).toISOString();

function toDigits(value: string | number | undefined): string | number | undefined {
  return typeof value === 'number' ? Number(value.toPrecision(15)) : value;
}

function field(value: Field): string {
  if (value === undefined || value === null) return '';
  const text = Number.isFinite(value) ? Decimal.of(value).toString() : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
