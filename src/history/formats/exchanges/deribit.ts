import { amountUnitOf } from '../amount-unit.ts';
import { namedTrades } from '../named-columns.ts';
import { cellIn, columnFinder, type Recogniser } from '../table.ts';

/**
 * The source of a symbol. Spot is named `BTC_USDC`; anything else has a dash: `BTC_USDC-PERPETUAL`.
 */
export function deribitSource(symbol: string): string {
  return symbol.includes('-') ? 'deribit-futures' : 'deribit';
}

/**
 * Trades as Deribit answers (`public/get_last_trades_by_instrument`): the columns name
 * `instrument_name`, `index_price` and `tick_direction`.
 */
export const deribitTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const instrument = find('instrumentname');
  if ([instrument, find('indexprice'), find('tickdirection')].includes(undefined)) return undefined;
  const trades = namedTrades(table);
  const symbol = cellIn(table.rows[0], instrument) ?? '';
  const facts = { format: 'Deribit trades', source: deribitSource(symbol) } as const;
  return trades && { ...trades, ...facts, amountUnit: amountUnitOf('deribit', symbol) };
};
