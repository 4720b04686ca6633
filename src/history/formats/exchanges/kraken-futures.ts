import { amountUnitOf } from '../amount-unit.ts';
import { contractSource } from '../contract-name.ts';
import { namedCandles, namedTrades } from '../named-columns.ts';
import { columnFinder, type Recognised, type Recogniser } from '../table.ts';

/** Tardis' name for Kraken Futures. */
const EXCHANGE = 'cryptofacilities';
/** Columns of trades, none of which names the contract. */
const TRADES = ['time', 'tradeid', 'price', 'size', 'side', 'type', 'uid'];
/** A contract in a file's name, such as `PF_XBTUSD` and `FI_XBTUSD_240329`. */
const CONTRACT = /(?<![A-Za-z0-9])[PF][FIV]_[A-Z0-9]{5,}(_\d{6})?(?![A-Za-z0-9])/i;

/**
 * Candles as Kraken Futures answers (`/api/charts/v1/trade/...`): no other answer tells whether
 * there are more. Source: docs.kraken.com, Futures, Market Candles.
 */
export const krakenFuturesCandles: Recogniser = (table) => {
  const candles = table.answer?.moreCandles === undefined ? undefined : namedCandles(table);
  return candles && { ...candles, ...contractFacts(table.name, 'candles') };
};

/** Trades as it answers (`/history`). Source: docs.kraken.com, Futures, Get trade history. */
export const krakenFuturesTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  if (TRADES.some((name) => find(name) === undefined) || find('symbol') !== undefined) return;
  const trades = namedTrades(table);
  return trades && { ...trades, ...contractFacts(table.name, 'trades') };
};

/** @throws {TypeError} when the name does not tell the contract, and so what amounts count. */
function contractFacts(name: string, kind: string): Partial<Recognised> {
  const contract = CONTRACT.exec(name)?.[0].toUpperCase();
  if (contract === undefined) {
    throw new TypeError(
      `it holds ${kind} as Kraken Futures answers, whose amounts count US dollars of some contracts ` +
        '(PI_, FI_) and the base currency of others, a name with its contract is wanted, such as ' +
        'PF_XBTUSD.json, or a mapping of its columns (--mapping)',
    );
  }
  const amountUnit = amountUnitOf(EXCHANGE, contract);
  // PI_XBTUSD and PF_XBTUSD have the same market at other prices.
  const source = amountUnit === undefined ? 'kraken-futures' : 'kraken-inverse';
  return {
    format: `${kind} as Kraken Futures answers`,
    source: contractSource(source, contract),
    amountUnit,
  };
}
