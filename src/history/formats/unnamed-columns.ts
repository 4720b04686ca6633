import { newestNote } from './exchanges/exchange-answers.ts';
import { namedCandles, namedQuotes, namedTrades } from './named-columns.ts';
import { areCandles } from './ohlcv-rows.ts';
import { cellIn, columnFinder, type Recognised, type Recogniser, type Table } from './table.ts';
import { isWorth } from './volume-column.ts';

/** The layout of an exchange's rows whose columns have no names, or short ones. */
interface Layout extends Pick<Recognised, 'source' | 'amountUnit'> {
  readonly kind: 'candles' | 'trades' | 'quotes';
  readonly exchange: string;
  /** What the answer around the rows tells; undefined if the rows must have nothing around them. */
  readonly answer?: { readonly code?: string; readonly success?: string };
  /** The columns of lists in their order; or the meaning of objects' fields, by their names. */
  readonly columns: string | Readonly<Record<string, string>>;
  /**
   * Whether the exchange answers with candles of marks and indices in the same way. These have
   * volumes of 0, so candles without any volume are not recognised. Default: true.
   */
  readonly mayBeMarks?: boolean;
  /** A further condition on the rows. `named`: the table with headings. */
  readonly isOf?: (named: Table) => boolean;
}

const IN_ORDER = 'time,open,high,low,close,volume';
const TURNED = 'time,open,close,high,low,volume';
const PHEMEX = 'time,span,before,open,high,low,close,volume,turnover';
/** The fields that all trades of Alpaca have. */
const ALPACA = { t: 'time', p: 'price', s: 'size', i: 'id' } as const;

/**
 * Answers of exchanges. Sources: bitget.com/api-doc, developer-pro.bitmart.com, docs.whitebit.com,
 * kucoin.com/docs-new, mexc.com/api-docs, api-docs.poloniex.com, phemex-docs.github.io,
 * docs.bitfinex.com, docs.cdp.coinbase.com and docs.alpaca.markets.
 */
const LAYOUTS: readonly Layout[] = [
  candles('Bitget', { code: '00000' }, `${IN_ORDER},usdtVolume,quoteVolume`),
  { ...candles('Bitget', { code: '00000' }, `${IN_ORDER},quoteVolume`), source: 'bitget-futures' },
  candles('BitMart', { code: '1000' }, `${IN_ORDER},quoteVolume`),
  {
    ...candles('BitMart', { code: '1000' }, { open_price: 'open', close_price: 'close' }),
    ...{ source: 'bitmart-futures', amountUnit: 'contracts' },
  },
  trades('BitMart', { code: '1000' }, 'symbol,time,price,size,side'),
  // KuCoin's spot markets have neither marks nor indices.
  { ...candles('KuCoin', { code: '200000' }, `${TURNED},quoteVolume`), mayBeMarks: false },
  {
    ...candles('KuCoin', { code: '200000' }, IN_ORDER),
    ...{ source: 'kucoin-futures', amountUnit: 'contracts' },
  },
  {
    ...trades('KuCoin', { code: '200000' }, { sequence: 'sequence', ts: 'time' }),
    ...{ source: 'kucoin-futures', amountUnit: 'contracts' },
  },
  trades('KuCoin', { code: '200000' }, { sequence: 'sequence' }),
  {
    ...candles('MEXC', { code: '0', success: 'true' }, { vol: 'volume', amount: 'quoteVolume' }),
    ...{ source: 'mexc-futures', amountUnit: 'contracts' },
  },
  candles('WhiteBIT', { success: 'true' }, `${TURNED},quoteVolume`),
  ...['', ',symbol'].map((symbol) => ({
    ...candles('Phemex', { code: '0' }, `${PHEMEX}${symbol}`),
    ...{ source: 'phemex-futures', isOf: hasDecimals },
  })),
  {
    ...trades('Phemex', {}, 'time,side,price,size'),
    ...{ source: 'phemex-futures', isOf: (named) => hasDecimals(named) && areTimesAndSides(named) },
  },
  {
    ...candles('MEXC', undefined, `${IN_ORDER},closeTime,quoteVolume`),
    isOf: (named) =>
      named.rows.every((row) => Number(row[6]) > Number(row[0])) &&
      isWorth(named, { base: 'c5', quote: 'c7' }),
  },
  {
    ...candles(
      'Poloniex',
      undefined,
      'low,high,open,close,quoteVolume,volume,takerQuote,takerBase,count,ts,mean,interval,startTime,closeTime',
    ),
    isOf: (named) => named.rows.every((row) => /^(MINUTE|HOUR|DAY|WEEK)_\d+$/.test(row[11]!)),
  },
  { ...candles('Bitfinex', undefined, TURNED), isOf: areContinuous },
  { ...candles('Coinbase', undefined, 'time,low,high,open,close,volume'), isOf: areContinuous },
  { ...trades('Bitfinex', undefined, 'id,time,amount,price'), isOf: areSigned },
  trades('Alpaca', {}, { ...ALPACA, tks: 'side' }),
  trades('Alpaca', {}, { ...ALPACA, x: 'venue', z: 'tape' }),
  {
    ...trades('Alpaca', {}, { t: 'time', ap: 'ask', as: 'askSize', bp: 'bid', bs: 'bidSize' }),
    // Quotes of stocks, which have `ax`, count lots of 100.
    ...{ kind: 'quotes', isOf: ({ headings = [] }) => !headings.includes('ax') },
  },
];

function candles(exchange: string, answer: Layout['answer'], columns: Layout['columns']): Layout {
  const layout = { kind: 'candles', exchange, source: exchange.toLowerCase(), columns } as const;
  return answer === undefined ? layout : { ...layout, answer };
}

function trades(...[exchange, answer, columns]: Parameters<typeof candles>): Layout {
  return { ...candles(exchange, answer, columns), kind: 'trades' };
}

/** Answers of exchanges whose columns have no names that tell what they hold. */
export const unnamedColumns: Recogniser = (table) => {
  for (const layout of LAYOUTS) {
    const recognised = recognisedAs(table, layout);
    if (recognised !== undefined) return recognised;
  }
  return undefined;
};

function recognisedAs(table: Table, layout: Layout): ReturnType<Recogniser> {
  const { answer, kind, exchange, source, amountUnit, isOf, mayBeMarks = true } = layout;
  const headings = headingsOf(table, layout);
  if (headings === undefined || !isAround(table, answer)) return undefined;
  const named = { ...table, headings };
  if (kind === 'candles' && !areInOrder(named, { mayBeMarks })) return undefined;
  if (isOf !== undefined && !isOf(named)) return undefined;
  const recognised = READERS[kind](named);
  if (recognised === undefined) return undefined;
  const notes = [
    recognised.note,
    kind === 'candles' ? newestNote(exchange) : undefined,
    isOf === areContinuous ? orderNote(table, layout) : undefined,
  ];
  return {
    ...recognised,
    ...{ format: `${kind} as ${exchange} answers`, source, amountUnit },
    isGuess: answer === undefined,
    note: notes.filter(Boolean).join('; ') || undefined,
  };
}

const READERS = { candles: namedCandles, trades: namedTrades, quotes: namedQuotes } as const;

function orderNote({ name }: Table, { columns, exchange }: Layout): string {
  const order = String(columns).replaceAll(',', ', ');
  return `${name}: its columns are ${order}, as of ${exchange}: its prices show that`;
}

/** The headings of a table in this layout; undefined if its columns do not fit. */
function headingsOf({ headings, rows, answer }: Table, { columns }: Layout) {
  if (typeof columns === 'string') {
    const names = columns.split(',');
    const all = answer?.symbol === undefined ? names : [...names, 'symbol'];
    return headings === undefined && rows[0]?.length === all.length ? all : undefined;
  }
  const isThere = Object.keys(columns).every((name) => headings?.includes(name));
  return isThere ? headings?.map((name) => columns[name] ?? name) : undefined;
}

function isAround(table: Table, wanted: Layout['answer']): boolean {
  const { answer } = table;
  if (wanted === undefined) return answer === undefined;
  return (
    answer !== undefined &&
    (wanted.code === undefined || answer.code === wanted.code) &&
    (wanted.success === undefined || answer.success === wanted.success)
  );
}

/** Whether the cells under these headings can be candles, put into the order of `areCandles`. */
function areInOrder(named: Table, { mayBeMarks }: Pick<Layout, 'mayBeMarks'>): boolean {
  const find = columnFinder(named);
  const wanted = [
    ['starttime', 'timestamp', 'time'],
    ['open'],
    ['high', 'highprice'],
    ['low', 'lowprice'],
  ];
  const order = [...wanted, ['close'], ['volume']].map((names) => find(...names));
  if (order.includes(undefined)) return false;
  const sorted = (row: readonly string[]) => order.map((column) => cellIn(row, column)!);
  const [rows, manyRows] = [named.rows.map(sorted), named.manyRows.map(sorted)];
  const areMarks = mayBeMarks && !manyRows.some(([, , , , , volume]) => Number(volume) > 0);
  return !areMarks && areCandles({ rows, manyRows });
}

/** Candles that it takes to tell open and close apart. */
const CANDLES_MIN = 10;

/**
 * Whether candles open where the ones before closed, not the other way round: this shows which
 * price is the open and which the close.
 */
function areContinuous(named: Table): boolean {
  const find = columnFinder(named);
  const [time = '', open = '', close = ''] = ['time', 'open', 'close'].map((name) => find(name));
  const cell = (row: readonly string[], column: string) => Number(cellIn(row, column));
  const rows = named.manyRows.toSorted((a, b) => cell(a, time) - cell(b, time));
  const jumps = (from: string, to: string): number =>
    rows
      .slice(1)
      .reduce((sum, row, at) => sum + Math.abs(cell(row, to) - cell(rows[at]!, from)), 0);
  return rows.length >= CANDLES_MIN && jumps(close, open) * 2 < jumps(open, close);
}

/** Whether prices have decimals: older answers of Phemex scale them, by a factor of the market. */
function hasDecimals(named: Table): boolean {
  const price = columnFinder(named)('price', 'close')!;
  return named.manyRows.some((row) => cellIn(row, price)!.includes('.'));
}

function areTimesAndSides({ rows }: Table): boolean {
  return rows.every(
    ([time = '', side = '']) => /^\d{19}$/.test(time) && /^(buy|sell)$/i.test(side),
  );
}

/** Whether rows are an id, milliseconds, an amount below zero for some, and a price. */
function areSigned({ rows, manyRows }: Table): boolean {
  const isTrade = ([id = '', time = '', , price]: readonly string[]): boolean =>
    /^\d+$/.test(id) && /^1\d{12}$/.test(time) && Number(price) > 0;
  return rows.every(isTrade) && manyRows.some(([, , amount]) => Number(amount) < 0);
}
