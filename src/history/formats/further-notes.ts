import { columnFinder, type Table } from './table.ts';

/** A date and a time without a zone. */
const CLOCK = /^\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?$/;

/** Notes about a table that do not depend on its format: one sentence each. */
export function furtherNotes(table: Table, contractSize: number | undefined): string[] {
  const millions = contractSize === undefined ? millionsNote(table) : [];
  return [...zoneNote(table), ...millions, ...dollarsNote(table), ...lotsNote(table)];
}

/** A note that an answer names a time zone, which may be that of its times. */
function zoneNote({ answer, name, rows }: Table): string[] {
  const { zone = 'UTC' } = answer ?? {};
  if (zone === 'UTC' || !rows.some((row) => row.some((cell) => CLOCK.test(cell)))) return [];
  return [`${name} names the zone ${zone}, its times have none and are taken for UTC`];
}

/** A note about Dukascopy, which alone heads its times `Gmt time` or `Local time`. */
function millionsNote(table: Table): string[] {
  const find = columnFinder(table);
  const isCounted = find('volume', 'bidvolume') !== undefined;
  if (find('gmttime', 'localtime') === undefined || !isCounted) return [];
  return [
    `${table.name} is of Dukascopy, which counts amounts of currencies in millions; ` +
      '--contract-size 1000000 makes units of them',
  ];
}

/**
 * A note about GeckoTerminal, whose answer names its type. Source: geckoterminal.com, API, OHLCV.
 */
function dollarsNote({ answer, name }: Table): string[] {
  if (answer?.type !== 'ohlcv_request_response') return [];
  return [
    `${name} is of GeckoTerminal, whose volumes are in US dollars: backtest.fill.volumeCap means ` +
      'nothing with them',
  ];
}

/**
 * A note about stock quotes of Polygon, known by `sip_timestamp`. Source: polygon.io, Flat Files.
 */
function lotsNote(table: Table): string[] {
  const find = columnFinder(table);
  if (find('siptimestamp') === undefined || find('bidsize') === undefined) return [];
  return [`${table.name} is of Polygon, whose sizes of quotes may count lots of 100 shares`];
}
