import type { OrderType } from '../domain/index.ts';
import type { AccountType } from '../exchange/index.ts';
import { FillRows, twice } from './fill-rows.ts';
import { accountTypeOf, BUY, typeOf } from './order-flags.ts';
import type { OrderRows } from './order-rows.ts';
import type { OrderStore } from './order-store.ts';

/** Closed orders that are kept at least. A power of two. */
export const CLOSED_ORDERS_KEPT = 1_024;
const MASK = CLOSED_ORDERS_KEPT - 1;
const FIRST_ROWS = 16;

/** What an order wanted; what became of it lies elsewhere, for most close without a fill. */
const DOUBLES = 6;

const PRICE = 0;
const REMAINING = 1;
const AMOUNT = 2;
const ORDINAL = 3;
const TIME = 4;
const FLAGS = 5;

/**
 * The last orders of one account and side that have closed, in the order of their closing: a ring,
 * small beside the rows that matching works on, written once and hardly ever read.
 */
export class ClosedOrders implements OrderRows {
  readonly #account: number;
  #wanted = new Float64Array(FIRST_ROWS * DOUBLES);
  readonly fills = new FillRows(FIRST_ROWS);
  readonly #clientOrderIds: (string | undefined)[] = [];
  #count = 0;
  /** How many of them have a customerOrderId. */
  #named = 0;

  constructor(account: number) {
    this.#account = account;
  }

  /** How many have closed so far: the number of the newest, from 1. */
  get count(): number {
    return this.#count;
  }

  /** Whether the order that closed as that number has not been forgotten. */
  has(number: number): boolean {
    return number > this.#count - CLOSED_ORDERS_KEPT;
  }

  /** The row of the order that closed as that number. */
  row(number: number): number {
    return (number - 1) & MASK;
  }

  /** The row of the order that the next one to close makes forget, if that one has a name. */
  get namedLeaving(): number | undefined {
    if (this.#named === 0 || this.#count < CLOSED_ORDERS_KEPT) return undefined;
    const row = this.#count & MASK;
    return this.#clientOrderIds[row] === undefined ? undefined : row;
  }

  /** Copies an order that has closed. */
  push(orders: OrderStore, slot: number): void {
    const row = this.#count & MASK;
    const double = row * DOUBLES;
    if (double === this.#wanted.length) this.#grow();
    const wanted = this.#wanted;
    wanted[double + PRICE] = orders.price(slot);
    wanted[double + REMAINING] = orders.remaining(slot);
    wanted[double + AMOUNT] = orders.amount(slot);
    wanted[double + ORDINAL] = orders.ordinal(slot);
    wanted[double + TIME] = orders.time(slot);
    wanted[double + FLAGS] = orders.flags(slot);
    this.#name(row, orders.clientOrderId(slot));
    this.#count++;
    if (orders.hasFilled(slot)) this.fills.copy(row, orders.fills, slot);
  }

  account(): number {
    return this.#account;
  }

  accountType(row: number): AccountType {
    return accountTypeOf(this.#flags(row));
  }

  isBuy(row: number): boolean {
    return (this.#flags(row) & BUY) !== 0;
  }

  isClosed(): boolean {
    return true;
  }

  type(row: number): OrderType {
    return typeOf(this.#flags(row));
  }

  price(row: number): number {
    return this.#wanted[row * DOUBLES + PRICE]!;
  }

  amount(row: number): number {
    return this.#wanted[row * DOUBLES + AMOUNT]!;
  }

  remaining(row: number): number {
    return this.#wanted[row * DOUBLES + REMAINING]!;
  }

  ordinal(row: number): number {
    return this.#wanted[row * DOUBLES + ORDINAL]!;
  }

  time(row: number): number {
    return this.#wanted[row * DOUBLES + TIME]!;
  }

  clientOrderId(row: number): string | undefined {
    return this.#clientOrderIds[row];
  }

  filledValue(row: number): number {
    return this.hasFilled(row) ? this.fills.value(row) : 0;
  }

  fee(row: number): number {
    return this.hasFilled(row) ? this.fills.fee(row) : 0;
  }

  hasFilled(row: number): boolean {
    return this.remaining(row) !== this.amount(row);
  }

  #flags(row: number): number {
    return this.#wanted[row * DOUBLES + FLAGS]!;
  }

  /** The list of names stays empty where nobody gives any. */
  #name(row: number, clientOrderId: string | undefined): void {
    if (this.#named === 0 && clientOrderId === undefined) return;
    if (this.#clientOrderIds[row] !== undefined) this.#named--;
    if (clientOrderId !== undefined) this.#named++;
    this.#clientOrderIds[row] = clientOrderId;
  }

  #grow(): void {
    this.#wanted = twice(this.#wanted);
    this.fills.grow();
  }
}
