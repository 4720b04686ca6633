import { ORDER_TYPES, type OrderType, type Side } from '../domain/index.ts';
import type { AccountType } from '../exchange/index.ts';

/** The owner of anonymous orders: row 0 of the balances, the rest of the world. */
export const ANONYMOUS = 0;
/** The slot of no order: the end of a queue, nothing found. */
export const NO_ORDER = 0;

/** An order takes 16 doubles; what matching reads lies in its first 48 bytes: one cache line. */
const DOUBLES = 16;
const INTEGERS = 2 * DOUBLES;
const FIRST_SLOTS = 1_024;

// Places of the doubles.
const PRICE = 0;
const REMAINING = 1;
const AMOUNT = 5;
const ORDINAL = 6;
const TIME = 7;
const VALUE = 8;
const FEE = 9;
const LAST_ID = 10;
const LAST_PRICE = 11;
const LAST_AMOUNT = 12;
const LAST_TIME = 13;
// Places of the integers: in the room of the doubles 2 to 4.
const OWNER = 4;
const PREVIOUS = 5;
const NEXT = 6;
const LEVEL = 7;
const FLAGS = 8;
const ACCOUNT = 9;

const BUY = 1;
const CLOSED = 2;
const REPAYS = 4;
const POOLED = 8;
const TYPE_SHIFT = 4;
const TYPE_MASK = 3;
const ACCOUNT_TYPE_SHIFT = 6;
const ACCOUNT_TYPE_MASK = 3;
const FREE = 256;

/** What an order asks for, in whole units, already checked. */
export interface OrderTerms {
  /** The row of balances that it trades for, or `ANONYMOUS`. */
  readonly owner: number;
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  /** Anonymous liquidity that is nobody's own order, so more may be added to it. Default: false. */
  readonly pooled?: boolean;
}

/** What an order of an account has beyond that. */
export interface AccountTerms extends OrderTerms {
  /** Running number of the exchange's orders. */
  readonly ordinal: number;
  readonly account: number;
  readonly accountType: AccountType;
  readonly type: OrderType;
  readonly clientOrderId: string | undefined;
  /** Whether what it brings in repays loans first. */
  readonly repays: boolean;
  /** When the exchange took it, milliseconds since the epoch. */
  readonly time: number;
}

/** One trade of an order, in whole units of its market. */
export interface StoredFill {
  readonly tradeId: number;
  readonly price: number;
  readonly amount: number;
  /** In whole units of the currency that the order receives. */
  readonly fee: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

/**
 * All orders of one market, each a slot of one block of memory: millions may come and go without
 * leaving garbage, and the fields that matching reads lie side by side.
 *
 * A slot serves another order once it was freed.
 */
export class OrderStore {
  #doubles = new Float64Array(FIRST_SLOTS * DOUBLES);
  #integers = new Int32Array(this.#doubles.buffer);
  #clientOrderIds: (string | undefined)[] = [];
  #free: number[] = [];
  #used = 1;

  add(terms: OrderTerms): number {
    const slot = this.#free.pop() ?? this.#grow();
    const double = slot * DOUBLES;
    const integer = slot * INTEGERS;
    this.#doubles[double + PRICE] = terms.price;
    this.#doubles[double + REMAINING] = terms.amount;
    this.#doubles[double + AMOUNT] = terms.amount;
    this.#integers[integer + OWNER] = terms.owner;
    this.#integers[integer + LEVEL] = 0;
    this.#integers[integer + FLAGS] =
      (terms.side === 'buy' ? BUY : 0) | (terms.pooled === true ? POOLED : 0);
    return slot;
  }

  addOfAccount(terms: AccountTerms): number {
    const slot = this.add(terms);
    const double = slot * DOUBLES;
    this.#doubles[double + ORDINAL] = terms.ordinal;
    this.#doubles[double + TIME] = terms.time;
    this.#doubles[double + VALUE] = 0;
    this.#doubles[double + FEE] = 0;
    this.#doubles[double + LAST_ID] = 0;
    const integer = slot * INTEGERS;
    this.#integers[integer + ACCOUNT] = terms.account;
    this.#integers[integer + FLAGS]! |=
      (terms.repays ? REPAYS : 0) |
      (ORDER_TYPES.indexOf(terms.type) << TYPE_SHIFT) |
      (terms.accountType << ACCOUNT_TYPE_SHIFT);
    this.#clientOrderIds[slot] = terms.clientOrderId;
    return slot;
  }

  /**
   * Lets the slot of an order serve another: nobody may name it any more. What it held can be read
   * until the next order is added.
   */
  free(slot: number): void {
    this.#integers[slot * INTEGERS + FLAGS]! |= FREE;
    this.#free.push(slot);
  }

  /** Whether the slot was freed and serves no other order yet. */
  isFree(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + FLAGS]! & FREE) !== 0;
  }

  owner(slot: number): number {
    return this.#integers[slot * INTEGERS + OWNER]!;
  }

  account(slot: number): number {
    return this.#integers[slot * INTEGERS + ACCOUNT]!;
  }

  accountType(slot: number): AccountType {
    const type =
      (this.#integers[slot * INTEGERS + FLAGS]! >> ACCOUNT_TYPE_SHIFT) & ACCOUNT_TYPE_MASK;
    return type as AccountType;
  }

  isBuy(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + FLAGS]! & BUY) !== 0;
  }

  isClosed(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + FLAGS]! & CLOSED) !== 0;
  }

  close(slot: number): void {
    this.#integers[slot * INTEGERS + FLAGS]! |= CLOSED;
  }

  repays(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + FLAGS]! & REPAYS) !== 0;
  }

  isPooled(slot: number): boolean {
    return (this.#integers[slot * INTEGERS + FLAGS]! & POOLED) !== 0;
  }

  type(slot: number): OrderType {
    return ORDER_TYPES[(this.#integers[slot * INTEGERS + FLAGS]! >> TYPE_SHIFT) & TYPE_MASK]!;
  }

  price(slot: number): number {
    return this.#doubles[slot * DOUBLES + PRICE]!;
  }

  amount(slot: number): number {
    return this.#doubles[slot * DOUBLES + AMOUNT]!;
  }

  remaining(slot: number): number {
    return this.#doubles[slot * DOUBLES + REMAINING]!;
  }

  setRemaining(slot: number, units: number): void {
    this.#doubles[slot * DOUBLES + REMAINING] = units;
  }

  ordinal(slot: number): number {
    return this.#doubles[slot * DOUBLES + ORDINAL]!;
  }

  time(slot: number): number {
    return this.#doubles[slot * DOUBLES + TIME]!;
  }

  clientOrderId(slot: number): string | undefined {
    return this.#clientOrderIds[slot];
  }

  /** The number of the price level where it rests, 0 when it does not rest. */
  level(slot: number): number {
    return this.#integers[slot * INTEGERS + LEVEL]!;
  }

  setLevel(slot: number, level: number): void {
    this.#integers[slot * INTEGERS + LEVEL] = level;
  }

  /** Its neighbours in the queue of its level, `NO_ORDER` at the ends. */
  previous(slot: number): number {
    return this.#integers[slot * INTEGERS + PREVIOUS]!;
  }

  next(slot: number): number {
    return this.#integers[slot * INTEGERS + NEXT]!;
  }

  setPrevious(slot: number, previous: number): void {
    this.#integers[slot * INTEGERS + PREVIOUS] = previous;
  }

  setNext(slot: number, next: number): void {
    this.#integers[slot * INTEGERS + NEXT] = next;
  }

  /** Takes note of a trade of an account's order; what remains was reduced by the book. */
  recordFill(slot: number, fill: StoredFill): void {
    const double = slot * DOUBLES;
    this.#doubles[double + VALUE]! += fill.price * fill.amount;
    this.#doubles[double + FEE]! += fill.fee;
    this.#doubles[double + LAST_ID] = fill.tradeId;
    this.#doubles[double + LAST_PRICE] = fill.price;
    this.#doubles[double + LAST_AMOUNT] = fill.amount;
    this.#doubles[double + LAST_TIME] = fill.time;
  }

  /** Sum of price x amount of the fills, in whole units of both. */
  filledValue(slot: number): number {
    return this.#doubles[slot * DOUBLES + VALUE]!;
  }

  /** Fees so far, in whole units of the currency that the order receives. */
  fee(slot: number): number {
    return this.#doubles[slot * DOUBLES + FEE]!;
  }

  /** The newest trade of an account's order, undefined while there is none. Its own fee is not kept. */
  lastFill(slot: number): Omit<StoredFill, 'fee'> | undefined {
    const double = slot * DOUBLES;
    const tradeId = this.#doubles[double + LAST_ID]!;
    if (tradeId === 0) return undefined;
    return {
      tradeId,
      price: this.#doubles[double + LAST_PRICE]!,
      amount: this.#doubles[double + LAST_AMOUNT]!,
      time: this.#doubles[double + LAST_TIME]!,
    };
  }

  #grow(): number {
    const slot = this.#used++;
    if (slot * DOUBLES < this.#doubles.length) return slot;
    const larger = new Float64Array(2 * this.#doubles.length);
    larger.set(this.#doubles);
    this.#doubles = larger;
    this.#integers = new Int32Array(larger.buffer);
    return slot;
  }
}
