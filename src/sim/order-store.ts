import type { OrderType, Side } from '../domain/index.ts';
import type { AccountType } from '../exchange/index.ts';
import { FillRows, type StoredFill, twice } from './fill-rows.ts';
import {
  accountOf,
  accountTypeOf,
  BUY,
  CLOSED,
  flagsOf,
  POOLED,
  REPAYS,
  typeOf,
} from './order-flags.ts';

/** The owner of anonymous orders: row 0 of the balances, the rest of the world. */
export const ANONYMOUS = 0;
/** The slot of no order: the end of a queue, nothing found. */
export const NO_ORDER = 0;

/** An order takes 8 doubles, which is one cache line; its fills are kept elsewhere. */
const DOUBLES = 8;
const FIRST_SLOTS = 1_024;

// The accessors have 8 doubles and 16 integers a slot as plain numbers: with named constants their
// code would be a few bytes too long to be inlined where they are called.

// Places of the doubles.
const PRICE = 0;
const REMAINING = 1;
const AMOUNT = 2;
const ORDINAL = 3;
const TIME = 4;
// Places of the integers: in the room of the doubles 5 to 7.
const OWNER = 10;
const PREVIOUS = 11;
const NEXT = 12;
const LEVEL = 13;
const FLAGS = 14;
const PLACE = 15;

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

/** The terms of an order of an account. */
export interface AccountTerms extends OrderTerms {
  readonly account: number;
  readonly accountType: AccountType;
  readonly type: OrderType;
  readonly clientOrderId: string | undefined;
  /** Whether what it brings in repays loans first. */
  readonly repays: boolean;
  /** When the exchange took it, milliseconds since the epoch. */
  readonly time: number;
}

/**
 * Orders of one market, each a slot of one block of memory: millions may come and go without leaving
 * garbage, and the fields that matching reads lie side by side.
 *
 * A freed slot is reused, the one freed last first, so that the few open orders stay in the CPU
 * caches.
 */
export class OrderStore {
  #doubles: Float64Array<ArrayBuffer>;
  #integers: Int32Array<ArrayBuffer>;
  /** The fills of the orders that have any. */
  readonly fills: FillRows;
  #clientOrderIds: (string | undefined)[] = [];
  #free: number[] = [];
  #used = 1;

  /** `slots`: how many orders it has room for before it grows, a power of two. */
  constructor(slots = FIRST_SLOTS) {
    this.#doubles = new Float64Array(slots * DOUBLES);
    this.#integers = new Int32Array(this.#doubles.buffer);
    this.fills = new FillRows(slots);
  }

  add(terms: OrderTerms): number {
    const slot = this.#free.pop() ?? this.#used++;
    if (slot * DOUBLES >= this.#doubles.length) this.#grow();
    const double = slot * 8;
    const integer = slot * 16;
    this.#doubles[double + PRICE] = terms.price;
    this.#doubles[double + REMAINING] = terms.amount;
    this.#doubles[double + AMOUNT] = terms.amount;
    this.#integers[integer + OWNER] = terms.owner;
    this.#integers[integer + LEVEL] = 0;
    this.#integers[integer + FLAGS] =
      (terms.side === 'buy' ? BUY : 0) | (terms.pooled === true ? POOLED : 0);
    return slot;
  }

  /** Adds an order of an account, which gets its running number once it is accepted. */
  addOfAccount(terms: AccountTerms): number {
    const slot = this.add(terms);
    this.#doubles[slot * 8 + TIME] = terms.time;
    const integer = slot * 16;
    this.#integers[integer + FLAGS]! |= flagsOf(terms);
    this.#clientOrderIds[slot] = terms.clientOrderId;
    return slot;
  }

  /** Copies an order of another store: its terms, its state and its fills. */
  copy(slot: number, others: OrderStore, theirs: number): void {
    if (slot * DOUBLES >= this.#doubles.length) this.#grow();
    const from = others.#doubles;
    for (let place = PRICE; place <= TIME; place++) {
      this.#doubles[slot * 8 + place] = from[theirs * 8 + place]!;
    }
    this.#integers[slot * 16 + FLAGS] = others.flags(theirs);
    this.#clientOrderIds[slot] = others.clientOrderId(theirs);
    if (others.hasFilled(theirs)) this.fills.copy(slot, others.fills, theirs);
  }

  /**
   * Frees the slot of an order for reuse: nobody may refer to it any more. Its contents can be read
   * until the next order is added.
   */
  free(slot: number): void {
    this.#free.push(slot);
  }

  owner(slot: number): number {
    return this.#integers[slot * 16 + OWNER]!;
  }

  account(slot: number): number {
    return accountOf(this.flags(slot));
  }

  accountType(slot: number): AccountType {
    return accountTypeOf(this.flags(slot));
  }

  /** Its flags, its types and its account, as the bits of one number. */
  flags(slot: number): number {
    return this.#integers[slot * 16 + FLAGS]!;
  }

  isBuy(slot: number): boolean {
    return (this.#integers[slot * 16 + FLAGS]! & BUY) !== 0;
  }

  isClosed(slot: number): boolean {
    return (this.#integers[slot * 16 + FLAGS]! & CLOSED) !== 0;
  }

  close(slot: number): void {
    this.#integers[slot * 16 + FLAGS]! |= CLOSED;
  }

  repays(slot: number): boolean {
    return (this.#integers[slot * 16 + FLAGS]! & REPAYS) !== 0;
  }

  isPooled(slot: number): boolean {
    return (this.#integers[slot * 16 + FLAGS]! & POOLED) !== 0;
  }

  type(slot: number): OrderType {
    return typeOf(this.flags(slot));
  }

  price(slot: number): number {
    return this.#doubles[slot * 8 + PRICE]!;
  }

  amount(slot: number): number {
    return this.#doubles[slot * 8 + AMOUNT]!;
  }

  remaining(slot: number): number {
    return this.#doubles[slot * 8 + REMAINING]!;
  }

  setRemaining(slot: number, units: number): void {
    this.#doubles[slot * 8 + REMAINING] = units;
  }

  /** Running number of the exchange's orders. */
  ordinal(slot: number): number {
    return this.#doubles[slot * 8 + ORDINAL]!;
  }

  setOrdinal(slot: number, ordinal: number): void {
    this.#doubles[slot * 8 + ORDINAL] = ordinal;
  }

  /** When the exchange took it, milliseconds since the epoch. */
  time(slot: number): number {
    return this.#doubles[slot * 8 + TIME]!;
  }

  clientOrderId(slot: number): string | undefined {
    return this.#clientOrderIds[slot];
  }

  /** The number of the price level where it rests, 0 when it does not rest. */
  level(slot: number): number {
    return this.#integers[slot * 16 + LEVEL]!;
  }

  setLevel(slot: number, level: number): void {
    this.#integers[slot * 16 + LEVEL] = level;
  }

  /** Its neighbours in the queue of its level, `NO_ORDER` at the ends. */
  previous(slot: number): number {
    return this.#integers[slot * 16 + PREVIOUS]!;
  }

  next(slot: number): number {
    return this.#integers[slot * 16 + NEXT]!;
  }

  setPrevious(slot: number, previous: number): void {
    this.#integers[slot * 16 + PREVIOUS] = previous;
  }

  setNext(slot: number, next: number): void {
    this.#integers[slot * 16 + NEXT] = next;
  }

  /** Its place in the list of its account. */
  place(slot: number): number {
    return this.#integers[slot * 16 + PLACE]!;
  }

  setPlace(slot: number, place: number): void {
    this.#integers[slot * 16 + PLACE] = place;
  }

  /** Whether the order has traded: only then is its row in `fills` valid. */
  hasFilled(slot: number): boolean {
    const double = slot * 8;
    return this.#doubles[double + REMAINING] !== this.#doubles[double + AMOUNT];
  }

  /** Records a trade of an account's order, whose remaining amount the book has reduced already. */
  recordFill(slot: number, fill: StoredFill): void {
    const isFirst = this.remaining(slot) + fill.amount === this.amount(slot);
    this.fills.record(slot, fill, { isFirst });
  }

  /** What the fills paid, in whole units of the quote currency. */
  filledValue(slot: number): number {
    return this.hasFilled(slot) ? this.fills.value(slot) : 0;
  }

  /** Fees so far, in whole units of the currency that they are taken in. */
  fee(slot: number): number {
    return this.hasFilled(slot) ? this.fills.fee(slot) : 0;
  }

  #grow(): void {
    this.#doubles = twice(this.#doubles);
    this.#integers = new Int32Array(this.#doubles.buffer);
    this.fills.grow();
  }
}
