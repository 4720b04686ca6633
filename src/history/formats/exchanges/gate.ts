import { inferMarketId } from '../../market-name.ts';
import { amountUnitOf } from '../amount-unit.ts';
import { contractSource } from '../contract-name.ts';
import { namedCandles, namedTrades } from '../named-columns.ts';
import { cellIn, columnFinder, plainHeading, type Recogniser } from '../table.ts';
import { isWorth } from '../volume-column.ts';

/** Tardis' name for its futures. */
const FUTURES = 'gate-io-futures';
const SOURCE = 'gate-futures';

/**
 * Columns of futures' candles: with `sum` in any order, without it in the documented order only.
 */
const CANDLES = 'c,h,l,o,sum,t,v';
const BARE_CANDLES = 't,v,c,h,l,o';

/** A contract that expires. Only the name of a file may tell it. */
const DELIVERED = /^[A-Z0-9]+_USDT?_\d{8}(?![A-Za-z0-9])/;

/**
 * Candles of futures as Gate.io answers (`/futures/{settle}/candlesticks`, `/delivery/...`):
 * exactly these columns. `v` counts contracts, `sum` the quote currency. Source:
 * gate.com/docs/developers/apiv4.
 */
export const gateFuturesCandles: Recogniser = (table) => {
  const names = (table.headings ?? []).map(plainHeading);
  const isGate = names.toSorted().join() === CANDLES || names.join() === BARE_CANDLES;
  const candles = isGate ? namedCandles(table) : undefined;
  const symbol = inferMarketId(table.name)?.toUpperCase() ?? '';
  const [contract = ''] = DELIVERED.exec(table.name) ?? [];
  const source = contractSource(SOURCE, contract);
  const facts = { format: 'candles as Gate.io answers', source } as const;
  return candles && { ...candles, ...facts, amountUnit: amountUnitOf(FUTURES, symbol) };
};

/** The name of a subscription: a length and a market. */
const SUBSCRIPTION = /^\d+[smhdw]_[A-Z0-9]+_[A-Z0-9]+$/;

/**
 * Candles as Gate.io pushes them (`spot.candlesticks`, `futures.candlesticks`), named by `n`. For
 * spot, `v` is in the quote currency and `a` in the base currency; for futures, `v` counts
 * contracts. Source: gate.com/docs/developers/apiv4/ws.
 *
 * @throws {TypeError} when the prices do not show that they are of spot.
 */
export const gatePushedCandles: Recogniser = (table) => {
  const find = columnFinder(table);
  const [name, amount, quote] = [find('n'), find('a'), find('v')];
  const cells = table.rows.map((row) => cellIn(row, name) ?? '');
  if (quote === undefined || !cells.every((cell) => SUBSCRIPTION.test(cell))) return undefined;
  const candles = namedCandles(table, { volume: amount });
  if (candles === undefined) return undefined;
  if (amount === undefined || !isWorth(table, { base: amount, quote })) {
    throw new TypeError(
      'its candles are as Gate.io pushes them: "v" counts the quote currency of spot and contracts ' +
        'of futures, a mapping of its columns is wanted (--mapping), for futures with contractSize',
    );
  }
  const isEnded = find('w');
  return {
    ...candles,
    ...{ format: 'candles as Gate.io pushes', source: 'gate', symbolColumn: name },
    ...(isEnded && { leftOut: { where: `${isEnded} = 'false'`, which: 'that had not ended' } }),
  };
};

/**
 * Trades of futures as Gate.io answers (`/futures/{settle}/trades`). Their sizes count contracts
 * and are below zero for sales. Source: gate.com/docs/developers/apiv4.
 */
export const gateFuturesTrades: Recogniser = (table) => {
  const find = columnFinder(table);
  const contract = find('contract');
  const columns = [contract, find('createtime'), find('size'), find('price')];
  if (columns.includes(undefined) || find('side') !== undefined) return undefined;
  const trades = namedTrades(table);
  const symbol = cellIn(table.rows[0], contract) ?? '';
  const facts = {
    format: 'trades as Gate.io answers',
    source: contractSource(SOURCE, symbol),
    amountUnit: amountUnitOf(FUTURES, symbol),
  };
  return trades && { ...trades, ...facts, symbolColumn: contract };
};
