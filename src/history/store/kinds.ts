export { DEPTH_EVENTS } from '../../domain/index.ts';

/** What a dataset holds. */
export const DATASET_KINDS = ['candles', 'trades', 'quotes', 'depth'] as const;
export type DatasetKind = (typeof DATASET_KINDS)[number];

/**
 * The columns of each kind, in their order; numbers but for `id`.
 *
 * `time` and `received` are milliseconds since the epoch, with a fraction where the source is finer:
 * the exchange's stamp and the recorder's (empty where it kept none). A candle's `time` is its
 * opening. `side` is 1 for a buy or bid and -1 for a sell or ask; a trade's is the taker's. Amounts
 * and volumes are in the base currency.
 *
 * Depth has a row a level, and the trades between them. Rows of one update stand together and share
 * its number `update`; `event` is one of `DEPTH_EVENTS`.
 */
export const COLUMNS = {
  candles: ['time', 'open', 'high', 'low', 'close', 'volume'],
  trades: ['time', 'received', 'id', 'price', 'amount', 'side'],
  quotes: ['time', 'received', 'bid', 'bidAmount', 'ask', 'askAmount'],
  depth: ['time', 'received', 'update', 'event', 'side', 'price', 'amount'],
} as const satisfies { readonly [kind in DatasetKind]: readonly string[] };
export type ColumnOf<K extends DatasetKind> = (typeof COLUMNS)[K][number];

/** Columns that may be empty. */
export const OPTIONAL_COLUMNS: readonly string[] = ['received', 'id'];

/** Columns that hold prices, and those that hold amounts: they tell a market's scales. */
export const PRICE_COLUMNS: readonly string[] = [
  'open',
  'high',
  'low',
  'close',
  'price',
  'bid',
  'ask',
];
export const AMOUNT_COLUMNS: readonly string[] = ['volume', 'amount', 'bidAmount', 'askAmount'];

/** A length of time, and how one such time is written. */
interface Period {
  readonly unit: 'year' | 'month' | 'day';
  readonly format: string;
}

const DAY: Period = { unit: 'day', format: '%Y-%m-%d' };

/** How much time one file of a kind covers: enough rows to be worth it, few enough to rewrite. */
export const PERIODS: { readonly [kind in DatasetKind]: Period } = {
  candles: { unit: 'year', format: '%Y' },
  trades: { unit: 'month', format: '%Y-%m' },
  quotes: DAY,
  depth: DAY,
};
