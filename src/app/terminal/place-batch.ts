import type { Amount, Market, OrderRecord, Price, Side } from '../../domain/index.ts';
import { BATCH_ORDERS_MAX } from '../../exchange/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import { change } from './answers.ts';
import { commandLine } from './command-line.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { lookedUp } from './look-up.ts';
import { marketNamed } from './markets.ts';
import { brokenRule } from './order-rules.ts';
import { ACCOUNT_NAMES, type AccountName } from './place-order.ts';

/** Price and amount of one order of a batch. */
export interface BatchTerms {
  readonly price: Decimal;
  readonly amount: Decimal;
}

/** Several limit orders of one side of a market, as a person asks for them. */
export interface BatchWish {
  readonly market: string;
  readonly side: Side;
  readonly account: AccountName;
  readonly orders: readonly BatchTerms[];
}

/** A batch whose every order keeps the market's rules, ready to be sent. */
export interface PreparedBatch {
  readonly wish: BatchWish;
  readonly market: Market;
  /** Of all orders, in the base and in the quote currency. */
  readonly amount: Decimal;
  readonly value: Decimal;
}

/** What became of one order of a batch. */
export interface BatchedOrder extends BatchTerms {
  readonly outcome: 'placed' | 'refused' | 'unknown';
  readonly id?: string;
}

export interface BatchReport {
  /** In the order in which they were asked for. */
  readonly orders: readonly BatchedOrder[];
  /** What the exchange says of a batch that it took in part. */
  readonly remark: string | undefined;
}

/**
 * Checks every order of a batch against the market's rules; nothing is rounded and nothing is sent.
 *
 * @throws {AppError} `refused` with what is wanted; `exchange` when the venue does not answer.
 */
export async function prepareBatch(venue: ConnectedVenue, wish: BatchWish): Promise<PreparedBatch> {
  const count = wish.orders.length;
  if (count < 1 || count > BATCH_ORDERS_MAX) {
    throw refused(`it holds ${count} orders, 1 to ${BATCH_ORDERS_MAX} are wanted`);
  }
  const market = await marketNamed(venue, wish.market);
  for (const [index, order] of wish.orders.entries()) {
    const broken = brokenRule(market, order);
    if (broken !== undefined) throw refused(`order ${index + 1} of ${count}: ${broken}`);
  }
  const sum = (sums: readonly Decimal[]) => sums.reduce((a, b) => a.plus(b), Decimal.ZERO);
  const amount = sum(wish.orders.map((order) => order.amount));
  const value = sum(wish.orders.map((order) => order.price.times(order.amount)));
  return { wish, market, amount, value };
}

/**
 * Sends a prepared batch, once. The orders that the exchange took are looked up: its answer tells
 * their ids, but not which order each is. If it took all and reads do not tell, the ids are taken
 * to be in the given order.
 *
 * @throws {AppError} `unknown` when some may rest: look them up, do not repeat the batch.
 */
export async function placeBatch(
  venue: ConnectedVenue,
  { wish }: PreparedBatch,
): Promise<BatchReport> {
  const { market, side, account, orders } = wish;
  const list = commandLine(['orders', 'list', '--market', market, ...venue.flags]);
  const lookUp =
    'Some of the orders may rest. Do not repeat them; wait some seconds, then look:\n' +
    `  ${list}`;
  const request = {
    ...{ market, side, accountType: ACCOUNT_NAMES[account] },
    orders: orders.map(({ price, amount }) => ({
      price: price.toNumber() as Price,
      amount: amount.toNumber() as Amount,
    })),
  };
  const answer = venue.exchange.trading.placeBatch(request);
  const { exchangeOrderIds: ids, remark } = await change(venue, { lookUp, answer });
  const inTurn = orders.map((order, index) => ({ ...order, ...placedAs(ids[index]!) }));
  if (orders.length === 1 && ids.length === 1) return { orders: inTurn, remark };
  const records: (OrderRecord | undefined)[] = [];
  for (const id of ids) records.push(await lookedUp(venue, { market, exchangeOrderId: id }));
  const told = assigned(orders, records);
  // With an id for each, all were taken, whatever reads tell.
  const isAll = ids.length === orders.length;
  const areTold = told.every(({ outcome }) => outcome === 'placed');
  return { orders: isAll && !areTold ? inTurn : told, remark };
}

function placedAs(id: string): Pick<BatchedOrder, 'outcome' | 'id'> {
  return { outcome: 'placed', id };
}

/**
 * Matches records to orders by their terms. The others were refused if every record was read and
 * matched, else they are unknown. An answer without any id says nothing of any order.
 */
function assigned(
  orders: readonly BatchTerms[],
  records: readonly (OrderRecord | undefined)[],
): BatchedOrder[] {
  const left = new Set(records.filter((record) => record !== undefined));
  const matched = orders.map((order) => {
    const record = [...left].find((one) => isOf(one, order));
    if (record !== undefined) left.delete(record);
    return { order, record };
  });
  const isKnown = records.length > 0 && left.size === 0 && !records.includes(undefined);
  const otherwise = { outcome: isKnown ? 'refused' : 'unknown' } as const;
  return matched.map(({ order, record }) => ({
    ...order,
    ...(record === undefined ? otherwise : placedAs(record.exchangeOrderId)),
  }));
}

function isOf(record: OrderRecord, { price, amount }: BatchTerms): boolean {
  return price.equals(Decimal.of(record.price)) && amount.equals(Decimal.of(record.amount));
}

function refused(what: string): AppError {
  return new AppError('refused', `Cannot place the batch: ${what}`);
}
