import { HistoryError } from '../errors.ts';
import { bareQuotes, trueFxQuotes } from './bare-quotes.ts';
import { unknownContractSource } from './contract-name.ts';
import { binanceKlines } from './exchanges/binance-klines.ts';
import { binanceQuotes } from './exchanges/binance-quotes.ts';
import { binanceTrades } from './exchanges/binance-trades.ts';
import { bitmexCandles, bitmexQuotes, bitmexTrades } from './exchanges/bitmex.ts';
import { coinbaseTrades } from './exchanges/coinbase.ts';
import { deribitTrades } from './exchanges/deribit.ts';
import { dydxCandles, dydxTrades } from './exchanges/dydx.ts';
import { ANSWERS } from './exchanges/exchange-answers.ts';
import { gateFuturesCandles, gateFuturesTrades, gatePushedCandles } from './exchanges/gate.ts';
import { htxCandles } from './exchanges/htx.ts';
import { krakenCandles, krakenTrades } from './exchanges/kraken.ts';
import { krakenFuturesCandles, krakenFuturesTrades } from './exchanges/kraken-futures.ts';
import { okxFuturesCandles, okxTrades } from './exchanges/okx.ts';
import { furtherNotes } from './further-notes.ts';
import {
  areOfDays,
  exportedDepth,
  namedCandles,
  namedQuotes,
  namedTrades,
  untoldVolumes,
} from './named-columns.ts';
import { refuseOthers } from './no-trades.ts';
import { misfitsOf, ohlcvRows } from './ohlcv-rows.ts';
import {
  cellIn,
  columnFinder,
  isNumeric,
  type Recognised,
  type Recogniser,
  type Table,
} from './table.ts';
import { tradeRows } from './trade-rows.ts';
import { unnamedColumns } from './unnamed-columns.ts';
import { ccxtContract } from './vendors/ccxt-symbol.ts';
import { cryptoDataDownload } from './vendors/crypto-data-download.ts';
import { databentoCandles, databentoTrades } from './vendors/databento.ts';
import { histDataCandles, histDataQuotes } from './vendors/hist-data.ts';
import { investingCandles } from './vendors/investing.ts';
import { kaikoTrades } from './vendors/kaiko.ts';
import { leanCandles } from './vendors/lean.ts';
import { metaTraderCandles } from './vendors/meta-trader.ts';
import { metaTraderTicks } from './vendors/meta-trader-ticks.ts';
import { ninjaTraderCandles, ninjaTraderTicks } from './vendors/ninja-trader.ts';
import {
  tardisBookChanges,
  tardisBookSnapshots,
  tardisQuotes,
  tardisTrades,
} from './vendors/tardis.ts';
import { yahooCandles } from './vendors/yahoo.ts';

/** The formats that are known, the particular ones before the general. */
const RECOGNISERS: readonly Recogniser[] = [
  ...[tardisBookChanges, tardisBookSnapshots, tardisQuotes, tardisTrades],
  ...[binanceKlines, binanceTrades, binanceQuotes, bitmexTrades, bitmexCandles, bitmexQuotes],
  ...[cryptoDataDownload, investingCandles, leanCandles],
  ...[histDataCandles, histDataQuotes, ninjaTraderCandles, ninjaTraderTicks, trueFxQuotes],
  ...[databentoCandles, databentoTrades],
  ...[dydxCandles, dydxTrades, htxCandles, krakenFuturesCandles, krakenFuturesTrades],
  ...[coinbaseTrades, okxTrades, deribitTrades, krakenTrades, krakenCandles, ohlcvRows, tradeRows],
  ...[unnamedColumns, exportedDepth, namedQuotes, yahooCandles],
  ...[metaTraderTicks, metaTraderCandles, gateFuturesCandles, gatePushedCandles],
  ...[okxFuturesCandles, namedCandles, gateFuturesTrades, kaikoTrades, namedTrades, bareQuotes],
];

/** Headings of an asset. A table without a market column may hold candles of a hundred coins. */
const ASSETS = [
  ...[
    'asset',
    'assetid',
    'baseasset',
    'basecurrency',
    'coin',
    'coinid',
    'crypto',
    'cryptocurrency',
  ],
  ...['tscode', 'stock', 'security'],
];

/** Columns that must hold one value: several exchanges, contracts or assets are no one series. */
function ofOne(table: Table): NonNullable<Recognised['ofOne']> {
  const find = columnFinder(table);
  const asset = find(...ASSETS);
  const exchange = find('exchange', 'exchangename', 'exchangeid', 'venue');
  const contract = find('contract');
  const isCounted = table.rows.every((row) => isNumeric(cellIn(row, contract)));
  return [
    ...(asset === undefined ? [] : [{ column: asset, what: 'asset' } as const]),
    ...(exchange === undefined ? [] : [{ column: exchange, what: 'exchange' } as const]),
    ...(contract === undefined || isCounted
      ? []
      : [{ column: contract, what: 'contract' } as const]),
  ];
}

/** Source and unit by the symbol of a contract, where the format does not tell the source. */
function ofContract(
  { rows }: Table,
  { kind, source, symbolColumn }: Recognised,
): Partial<Recognised> {
  const symbol = cellIn(rows[0], symbolColumn);
  if (source !== undefined || symbol === undefined) return {};
  const contract = ccxtContract(symbol);
  if (contract === undefined) return { source: unknownContractSource(symbol) };
  return kind === 'trades' ? contract : { source: contract.source };
}

/**
 * The recognisers to try. Lists in an exchange's answer are in the order of that exchange alone, so
 * general formats are left out; objects have names.
 */
function recognisersOf({ answer, headings }: Table): readonly Recogniser[] {
  if (answer === undefined) return RECOGNISERS;
  const isExchange = answer.code !== undefined || answer.category !== undefined;
  const answers = [...ANSWERS, unnamedColumns];
  return headings === undefined && isExchange ? answers : [...answers, ...RECOGNISERS];
}

/**
 * Recognises the format of a table. `contractSize`: what the user says one unit of its amounts is
 * worth.
 *
 * @throws {HistoryError} telling what was seen, when no format fits.
 */
export function recognise(table: Table, contractSize?: number): Recognised {
  for (const recogniser of recognisersOf(table)) {
    const recognised = recogniser(table);
    if (recognised !== undefined) {
      refuseOthers(table, recognised);
      const note =
        [recognised.note, ...furtherNotes(table, contractSize)].filter(Boolean).join('; ') ||
        undefined;
      return { ...recognised, ...ofContract(table, recognised), note, ofOne: ofOne(table) };
    }
  }
  const [volume] = untoldVolumes(table);
  if (volume !== undefined) {
    throw new HistoryError(
      `Cannot import ${table.name}: it has candles, none of its columns is headed "volume" and ` +
        `"${volume}" may not be in the base currency, a heading "volume" is wanted or a mapping ` +
        'of its columns (--mapping), which may leave the volume out',
    );
  }
  const misfits = recognisersOf(table).includes(ohlcvRows) ? misfitsOf(table) : undefined;
  const byNumber = table.headings === undefined ? ' by their numbers, such as time: 1' : '';
  throw new HistoryError(
    [
      `Cannot import ${table.name}: its format is not known. It is ${table.form}, seen were`,
      ...(table.headings === undefined ? [] : [`  columns ${namesOf(table.headings)}`]),
      ...table.rows.slice(0, 2).map((row) => `  row     ${cut(row.join(', '))}`),
      ...(misfits === undefined ? [] : [misfits]),
      ...(areOfDays(table) ? [OF_DAYS] : []),
      'candles (time, open, high, low, close, volume), trades (time, price, amount), quotes or depth ' +
        `are wanted, or a mapping of its columns${byNumber} (--mapping)`,
    ].join('\n'),
  );
}

const OF_DAYS =
  'its times are days without a time of the day, which a mapping alone takes for those of trades,';

function namesOf(headings: readonly string[]): string {
  return headings.map((heading) => heading || '(no heading)').join(', ');
}

function cut(text: string): string {
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}
