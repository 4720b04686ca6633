import { amountUnitOf } from '../amount-unit.ts';
import { contractSource } from '../contract-name.ts';
import { namedTrades } from '../named-columns.ts';
import { areCandles } from '../ohlcv-rows.ts';
import {
  candleColumns,
  columnFinder,
  type Recognised,
  type Recogniser,
  tradeColumns,
} from '../table.ts';

const [C0, C1, C2, C3, C4, C5, C6] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'] as const;

/** How far a candle's mean price may be out of its range, as a fraction: volumes are rounded. */
const ROUNDING = 0.01;

/** The note about an exchange that does not tell whether its newest candle has ended. */
export function newestNote(exchange: string): string {
  return (
    `${exchange} does not say whether its newest candle had ended when it answered: if it had not, ` +
    'the candle is imported unfinished'
  );
}

/**
 * An answer of OKX (`/api/v5/market/candles`, `history-candles`): time, prices, three volumes, and
 * whether the candle had ended. Source: okx.com/docs-v5, Get candlesticks.
 */
const okxCandles: Recogniser = ({ answer, rows, manyRows }) => {
  if (answer?.code !== '0' || rows[0]?.length !== 9) return undefined;
  if (!areCandles({ rows, manyRows })) return undefined;
  if (!rows.every((row) => /^[01]$/.test(row[8]!))) return undefined;
  const traded = rows.filter((row) => Number(row[7]) > 0);
  const isFutures = traded.length > 0 && traded.every(countsContracts);
  const known = { ...IN_ORDER, volume: isFutures ? C6 : C5 };
  return {
    ...candles('OKX', { known, source: isFutures ? 'okx-futures' : 'okx' }),
    isGuess: traded.length === 0,
    leftOut: { where: "c8 = '0'", ...UNENDED },
  };
};

/**
 * Whether the volumes of a row are in contracts, base and quote currency. Those of spot are in
 * base, quote and again quote currency.
 */
function countsContracts(row: readonly string[]): boolean {
  const [, , high = 0, low = 0, , , base = 0, quote = 0] = row.map(Number);
  const price = quote / base;
  return base !== quote && price >= low * (1 - ROUNDING) && price <= high * (1 + ROUNDING);
}

/**
 * An answer of Bybit (`/v5/market/kline`): time, prices, volume, turnover. For inverse contracts,
 * the turnover is in the base currency. Source: bybit-exchange.github.io/docs/v5/market/kline.
 */
const bybitCandles: Recogniser = ({ answer, rows, manyRows }) => {
  const { category, symbol } = answer ?? {};
  if (category === undefined || !areCandles({ rows, manyRows })) return undefined;
  if (rows[0]?.length !== (symbol === undefined ? 7 : 8)) return undefined;
  const known = { ...IN_ORDER, volume: category === 'inverse' ? C6 : C5 };
  const source = bybitSource(category, symbol);
  const recognised = candles('Bybit', { known, source, note: newestNote('Bybit') });
  return symbol === undefined ? recognised : { ...recognised, symbolColumn: 'c7' };
};

function bybitSource(category: string, symbol = ''): string {
  return category === 'spot' ? 'bybit' : contractSource('bybit-futures', symbol);
}

/**
 * An answer of Bybit (`/v5/market/recent-trade`). For inverse contracts, the size is in US dollars.
 * Source: bybit-exchange.github.io/docs/v5/market/recent-trade.
 */
const bybitTrades: Recogniser = (table) => {
  const { category } = table.answer ?? {};
  const [id, trades] = [columnFinder(table)('execid'), namedTrades(table)];
  if (category === undefined || id === undefined || trades === undefined) return undefined;
  const { rows, headings = [] } = table;
  const symbol = rows[0]?.[headings.indexOf('symbol')] ?? '';
  return {
    ...trades,
    ...{ format: 'trades as Bybit answers', columns: { ...trades.columns, id } },
    source: bybitSource(category, symbol),
    amountUnit: category === 'spot' ? undefined : amountUnitOf('bybit', symbol),
  };
};

/**
 * An answer of Kraken (`/0/public/OHLC`): time in seconds, prices, their weighted mean, volume,
 * count of trades. It always contains a candle that has not ended, as the last one; `last` is the
 * time of the one before it. Source: docs.kraken.com, Get OHLC Data.
 */
const krakenCandles: Recogniser = ({ answer, rows, manyRows }) => {
  const { last = '', symbol } = answer ?? {};
  if (!/^\d+$/.test(last) || rows[0]?.length !== (symbol === undefined ? 8 : 9)) return undefined;
  if (!areCandles({ rows, manyRows })) return undefined;
  const known = { ...IN_ORDER, volume: C6 };
  return {
    ...candles('Kraken', { known, source: 'kraken' }),
    ...(symbol === undefined ? {} : { symbolColumn: 'c8' }),
    leftOut: { where: `TRY_CAST(c0 AS DOUBLE) > ${last}`, ...UNENDED },
  };
};

/**
 * An answer of Kraken (`/0/public/Trades`): price, volume, time in seconds, buy or sell, market or
 * limit, miscellaneous, and lately an id. Source: docs.kraken.com, Get Recent Trades.
 */
const krakenTrades: Recogniser = ({ answer, rows }) => {
  const { last, symbol } = answer ?? {};
  const width = (rows[0]?.length ?? 0) - (symbol === undefined ? 0 : 1);
  if (last === undefined || (width !== 6 && width !== 7)) return undefined;
  if (!rows.every((row) => /^[bs]$/.test(row[3]!) && /^[ml]$/.test(row[4]!))) return undefined;
  const id = width === 7 ? C6 : undefined;
  const columns = tradeColumns({ time: C2, id, price: C0, amount: C1, side: `side_of(${C3})` });
  const facts = { format: 'trades as Kraken answers', kind: 'trades', source: 'kraken' } as const;
  return { ...facts, columns, symbolColumn: symbol === undefined ? undefined : `c${width}` };
};

const UNENDED = { which: 'that had not ended' } as const;

const IN_ORDER = { time: C0, open: C1, high: C2, low: C3, close: C4 };

interface Answered extends Pick<Recognised, 'source' | 'note'> {
  readonly known: Parameters<typeof candleColumns>[0];
}

function candles(exchange: string, { known, source, note }: Answered): Recognised {
  const columns = candleColumns(known)!;
  return { format: `candles as ${exchange} answers`, kind: 'candles', source, columns, note };
}

/** Answers that are recognised by what stands around their rows, as in no other file. */
export const ANSWERS: readonly Recogniser[] = [
  ...[okxCandles, bybitCandles, krakenCandles, bybitTrades, krakenTrades],
];
