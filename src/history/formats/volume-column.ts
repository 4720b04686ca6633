import { cellIn, columnFinder, isNumeric, plainHeading, type Table } from './table.ts';

/** Headings of a volume. */
export const VOLUME = [
  ...['volume', 'vol', 'v', 'basevolume', 'volumetraded', 'volumebase', 'baseassetvolume'],
  // Of CoinAPI and Upbit.
  ...['sxsum', 'candleacctradevolume'],
];

/** Headings of amounts in either currency. `OF_SOME`: not those of all trades, but of some. */
const AMOUNTS = /vol(?!at)|amount|turnover|notional|qty|quantity|^size$/;
const OF_SOME = /taker|buy|sell|bid|ask|last|avg|average|mean/;

/** How far a candle's mean price may be out of its range, as a fraction: amounts are rounded. */
const ROUNDING = 0.01;
/** Candles that must agree: one may do so by chance. */
const CANDLES_MIN = 2;
/** Candles that are looked at. All must agree, and one of many may be rounded too much. */
const CANDLES_MAX = 5;

/** The base currency of others is called quote currency in old files of Poloniex. */
const POLONIEX = 'old files of Poloniex name markets the other way round too: BTC_ETH is eth_btc';

/** The column of a volume, and a note about it. */
export interface VolumeColumn {
  readonly column: string | undefined;
  readonly note?: string;
}

/**
 * The column of the volume in the base currency: by its heading, unless the prices show that it is
 * another one. An amount of the quote currency divided by that of the base currency is the mean
 * price of a candle, between its low and its high.
 */
export function volumeColumn(table: Table): VolumeColumn {
  const find = columnFinder(table);
  const column = find(...VOLUME);
  const [low, high] = [find('low', 'l'), find('high', 'h')];
  if (low === undefined || high === undefined) return { column };
  const others = amountsBeside(table, column);
  const needed = column === undefined ? others : [column];
  const telling = tellingCandles(table, { low, high, needed });
  if (telling.length < CANDLES_MIN) return { column };
  const isWorth = (base: string, quote: string): boolean => areWorth(telling, base, quote);
  const worth = others.find((other) => others.some((quote) => isWorth(other, quote)));
  if (column === undefined) return shown(table, worth);
  if (others.some((other) => isWorth(column, other))) return { column };
  const base = others.find((other) => isWorth(other, column));
  if (base !== undefined) return taken(table, { column, base, counts: 'the quote currency' });
  if (worth === undefined) return { column };
  return taken(table, { column, base: worth, counts: 'neither currency' });
}

interface TellingCandle {
  readonly row: readonly string[];
  readonly low: number;
  readonly high: number;
}

/** Candles whose prices, not at one, tell which of two amounts is in which currency. */
function tellingCandles(
  { manyRows }: Table,
  { low, high, needed }: { low: string; high: string; needed: readonly string[] },
): TellingCandle[] {
  return manyRows
    .map((row) => ({ row, low: numberIn(row, low), high: numberIn(row, high) }))
    .filter(
      (candle) => candle.low <= candle.high && needed.every((one) => numberIn(candle.row, one) > 0),
    )
    .filter((candle) => !isAt(1, candle))
    .slice(0, CANDLES_MAX);
}

function isAt(price: number, { low, high }: TellingCandle): boolean {
  return price >= low * (1 - ROUNDING) && price <= high * (1 + ROUNDING);
}

function areWorth(candles: readonly TellingCandle[], base: string, quote: string): boolean {
  return candles.every((candle) =>
    isAt(numberIn(candle.row, quote) / numberIn(candle.row, base), candle),
  );
}

/** Whether the prices of candles show that `base` is in the base currency and `quote` its worth. */
export function isWorth(
  table: Table,
  { base, quote }: { readonly base: string; readonly quote: string },
): boolean {
  const find = columnFinder(table);
  const [low, high] = [find('low', 'l'), find('high', 'h')];
  if (low === undefined || high === undefined) return false;
  const telling = tellingCandles(table, { low, high, needed: [base, quote] });
  return telling.length >= CANDLES_MIN && areWorth(telling, base, quote);
}

/**
 * The column of a trade's amount in the base currency, out of several: the first, unless it is the
 * price times another.
 */
export function amountColumn(
  table: Table,
  { price, columns }: { readonly price: string; readonly columns: readonly string[] },
): VolumeColumn {
  const [column, ...others] = columns;
  const telling = table.manyRows
    .filter((row) => Math.abs(numberIn(row, price) - 1) > ROUNDING)
    .slice(0, CANDLES_MAX);
  if (column === undefined || telling.length < CANDLES_MIN) return { column };
  const base = others.find((other) =>
    telling.every((row) => {
      const worth = numberIn(row, price) * numberIn(row, other);
      return Math.abs(numberIn(row, column) / worth - 1) < ROUNDING;
    }),
  );
  if (base === undefined) return { column };
  return taken(table, { column, base, counts: 'the quote currency', what: 'amount' });
}

/** The volume if no heading but the prices tell its column. */
function shown({ name, headings = [] }: Table, column: string | undefined): VolumeColumn {
  if (column === undefined) return { column };
  const heading = cellIn(headings, column);
  return { column, note: `${name}: the volume is taken from "${heading}", as the prices show` };
}

/** Headings that may be of a volume, in either currency, of all trades or of some. */
export function volumesIn({ headings = [] }: Table): string[] {
  return headings.filter((heading) => AMOUNTS.test(plainHeading(heading)));
}

function amountsBeside({ headings = [] }: Table, column: string | undefined): string[] {
  return headings.flatMap((heading, at) => {
    const name = plainHeading(heading);
    const isAmount = AMOUNTS.test(name) && !OF_SOME.test(name) && `c${at}` !== column;
    return isAmount ? [`c${at}`] : [];
  });
}

function numberIn(row: readonly string[], column: string): number {
  const cell = cellIn(row, column);
  return isNumeric(cell) ? Number(cell) : Number.NaN;
}

interface Taken {
  readonly column: string;
  readonly base: string;
  readonly counts: string;
  /** Default: the volume. */
  readonly what?: string;
}

function taken({ name, headings = [] }: Table, options: Taken): VolumeColumn {
  const { column, base, counts, what = 'volume' } = options;
  const [rejected, chosen] = [column, base].map((one) => cellIn(headings, one));
  const note = `${name}: "${rejected}" counts ${counts}, the ${what} is taken from "${chosen}"`;
  const isPoloniex = plainHeading(chosen ?? '') === 'quotevolume';
  return { column: base, note: isPoloniex ? `${note}; ${POLONIEX}` : note };
}
