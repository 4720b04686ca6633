import {
  type Amount,
  isClientOrderId,
  type Market,
  type OrderRecord,
  type OrderType,
  type Price,
  type Side,
} from '../../domain/index.ts';
import type { AccountType, PlaceRequest } from '../../exchange/index.ts';
import type { Decimal } from '../../kernel/index.ts';
import { AppError } from '../errors.ts';
import { change } from './answers.ts';
import { commandLine } from './command-line.ts';
import type { ConnectedVenue } from './connected-venue.ts';
import { orderIfAny } from './look-up.ts';
import { marketNamed } from './markets.ts';
import { brokenRule } from './order-rules.ts';

/** Accounts by the names that people give them. Source: contract, `acctType`. */
export const ACCOUNT_NAMES = { spot: 0, isolated: 1, cross: 2 } as const satisfies Record<
  string,
  AccountType
>;
export type AccountName = keyof typeof ACCOUNT_NAMES;

/** An order as a person asks for it. */
export interface OrderWish {
  readonly market: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: Decimal;
  readonly amount: Decimal;
  /** Default: a new one, so that the order can be looked up whatever becomes of the answer. */
  readonly clientOrderId?: string | undefined;
  readonly account: AccountName;
  readonly borrow: boolean;
  readonly repay: boolean;
}

/** An order that keeps the market's rules, ready to be sent. */
export interface PreparedOrder {
  readonly wish: OrderWish & { readonly clientOrderId: string };
  readonly market: Market;
  /** Price x amount, in the quote currency. */
  readonly value: Decimal;
  /** The command that tells what became of it. */
  readonly lookUp: string;
}

/**
 * Checks an order against the market's rules; nothing is rounded and nothing is sent. A client id
 * of the person's own must be new: the exchange takes one twice, then finds only the newest order
 * by it.
 *
 * @throws {AppError} `refused` with what is wanted; `exchange` when the venue does not answer.
 */
export async function prepareOrder(venue: ConnectedVenue, wish: OrderWish): Promise<PreparedOrder> {
  const { clientOrderId = venue.nextClientOrderId() } = wish;
  const problem = idProblem(clientOrderId) ?? borrowingProblem(wish);
  if (problem !== undefined) throw refused(problem);
  const market = await marketNamed(venue, wish.market);
  const value = wish.price.times(wish.amount);
  const broken = brokenRule(market, wish);
  if (broken !== undefined) throw refused(broken, ` on ${market.id}`);
  const taken =
    wish.clientOrderId && (await orderIfAny(venue, { market: market.id, clientOrderId }));
  if (taken) throw refused(idTaken(taken, clientOrderId), ` on ${market.id}`);
  const place = ['--market', market.id, '--client-id', clientOrderId, ...venue.flags];
  const lookUp = commandLine(['orders', 'show', ...place]);
  return { wish: { ...wish, clientOrderId }, market, value, lookUp };
}

/**
 * Sends a prepared order, once.
 *
 * @throws {AppError} `unknown` when it may rest: look it up, do not repeat it.
 */
export async function placeOrder(
  venue: ConnectedVenue,
  { wish, lookUp }: PreparedOrder,
): Promise<{ readonly exchangeOrderId: string }> {
  const { market, side, type, clientOrderId, account, borrow, repay } = wish;
  const request: PlaceRequest = {
    ...{ market, side, type, clientOrderId, borrow, repay },
    price: wish.price.toNumber() as Price,
    amount: wish.amount.toNumber() as Amount,
    accountType: ACCOUNT_NAMES[account],
  };
  const advice =
    'The order may or may not rest. Do not repeat it; wait some seconds, then look it up:\n' +
    `  ${lookUp}`;
  return change(venue, { lookUp: advice, answer: venue.exchange.trading.place(request) });
}

function idProblem(clientOrderId: string): string | undefined {
  if (isClientOrderId(clientOrderId)) return undefined;
  return `the client id is "${clientOrderId}", 4 to 36 letters or digits are wanted`;
}

/** The exchange would accept a second order, and find only the newest by that id. */
function idTaken({ closed, amount, filledAmount }: OrderRecord, clientOrderId: string): string {
  const state = closed ? 'over' : 'open';
  return (
    `an order with the client id "${clientOrderId}" is there already ` +
    `(${state}, ${filledAmount} of ${amount} filled), another id is wanted`
  );
}

function borrowingProblem({ account, borrow, repay }: OrderWish): string | undefined {
  if (account !== 'spot' || !(borrow || repay)) return undefined;
  const flag = borrow ? '--borrow' : '--repay';
  return `the spot account neither borrows nor repays (${flag}), --account isolated or cross is wanted`;
}

function refused(what: string, where = ''): AppError {
  return new AppError('refused', `Cannot place the order${where}: ${what}`);
}
