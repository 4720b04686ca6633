import { columnFinder, type Table } from './table.ts';

/** A date and a time without a zone. */
const CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/;

/** What is to be said of a table whatever its format is: sentences. */
export function furtherNotes(table: Table, contractSize: number | undefined): string[] {
  const millions = contractSize === undefined ? millionsNote(table) : [];
  return [...zoneNote(table), ...millions, ...dollarsNote(table), ...lotsNote(table)];
}

/** Where an answer names a zone, of which its times may be. */
function zoneNote({ answer, name, rows }: Table): string[] {
  const { zone = 'UTC' } = answer ?? {};
  if (zone === 'UTC' || !rows.some((row) => row.some((cell) => CLOCK.test(cell)))) return [];
  return [`${name} names the zone ${zone}, its times have none and are taken for UTC`];
}

/** Dukascopy alone heads its times so. */
function millionsNote(table: Table): string[] {
  const find = columnFinder(table);
  const isCounted = find('volume', 'bidvolume') !== undefined;
  if (find('gmttime', 'localtime') === undefined || !isCounted) return [];
  return [
    `${table.name} is of Dukascopy, which counts amounts of currencies in millions; ` +
      '--contract-size 1000000 makes units of them',
  ];
}

/** Volumes of GeckoTerminal, whose answer names its type. Source: geckoterminal.com, API, OHLCV. */
function dollarsNote({ answer, name }: Table): string[] {
  if (answer?.type !== 'ohlcv_request_response') return [];
  return [
    `${name} is of GeckoTerminal, whose volumes are in US dollars: backtest.fill.volumeCap means ` +
      'nothing with them',
  ];
}

/** Quotes of stocks of Polygon, whose stamps are headed so. Source: polygon.io, Flat Files, Quotes. */
function lotsNote(table: Table): string[] {
  const find = columnFinder(table);
  if (find('siptimestamp') === undefined || find('bidsize') === undefined) return [];
  return [`${table.name} is of Polygon, whose sizes of quotes may count lots of 100 shares`];
}
