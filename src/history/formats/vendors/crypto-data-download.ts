import { candleColumns, cellIn, columnFinder, plainHeading, type Recogniser } from '../table.ts';

/**
 * Candles of cryptodatadownload.com: a banner, a heading, the newest row first. The volume in the
 * base currency is headed by its name: `Volume BTC` beside `Volume USD`. Without the banner, that
 * heading beside a stamp, a date and a symbol shows the origin.
 */
export const cryptoDataDownload: Recogniser = (table) => {
  const find = columnFinder(table);
  const symbolColumn = find('symbol');
  const market = (cellIn(table.rows[0], symbolColumn) ?? '').toLowerCase();
  const base = (table.headings ?? [])
    .map(plainHeading)
    .find(
      (name) => name.startsWith('volume') && market.startsWith(name.slice(6)) && name.length > 6,
    );
  const stamp = find('unix', 'unixtimestamp');
  const isNamed = base !== undefined && stamp !== undefined && find('date') !== undefined;
  if (!isNamed && !/cryptodatadownload/i.test(table.banner ?? '')) return undefined;
  const columns = candleColumns({
    time: stamp ?? find('date'),
    open: find('open'),
    high: find('high'),
    low: find('low'),
    close: find('close'),
    volume: find(base ?? 'volume'),
  });
  if (columns?.volume === undefined) return undefined;
  const source = 'cryptodatadownload';
  return { format: 'CryptoDataDownload', kind: 'candles', source, symbolColumn, columns };
};
