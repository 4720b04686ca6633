import { assert } from '../kernel/index.ts';
import type { Currencies } from './currencies.ts';

/** The row that collects all fees. */
export const FEE_ROW = 1;
/** The row that lends: its negative balance is what has been lent and not repaid. */
export const LENDER_ROW = 2;
/** The world outside: its negative balance is what deposits brought in, less withdrawals. */
export const OUTSIDE_ROW = 3;
const FIRST_WALLET_ROW = 4;
/** Units that a full cell of the exchange's own rows carries over. */
const CARRY = 2 ** 53;
/** Spot, isolated margin and cross margin. Source: contract, `acctType`. */
const WALLETS_PER_ACCOUNT = 3;

/** Money: whole units of the currency with that number. */
export interface Sum {
  readonly currency: number;
  readonly units: number;
}

/**
 * Every balance of the exchange, exact, in whole units of its currency.
 *
 * A row per wallet (account x account type), a column per currency; where they meet is a cell. The
 * first rows are the exchange's own: row 0 is the rest of the world, for which anonymous liquidity
 * trades, row 1 collects the fees, row 2 lends, row 3 is where deposits come from and withdrawals
 * go to. Of these only row 1 is never negative. Whatever is traded, lent, repaid, deposited or
 * withdrawn, the sum of a column never changes.
 *
 * A wallet holds below 2^53 units of a currency, available and frozen together: callers that bring
 * money in ask `hasRoom` before anything moves. The exchange's own rows have no bound.
 */
export class Accounts {
  readonly currencies: Currencies;
  readonly #columns: number;
  readonly #available: Float64Array;
  readonly #frozen: Float64Array;
  readonly #feesPaid: Float64Array;
  /** What the exchange's own rows hold beyond `#available`, in multiples of `CARRY`. */
  readonly #carried: Float64Array;
  readonly #changed: Uint8Array;
  /** The first `#changedCount` entries are the changed cells; the others are left from before. */
  readonly #changedCells: number[] = [];
  #changedCount = 0;

  constructor(currencies: Currencies, accounts: number) {
    const rows = FIRST_WALLET_ROW + accounts * WALLETS_PER_ACCOUNT;
    this.currencies = currencies;
    this.#columns = currencies.names.length;
    this.#available = new Float64Array(rows * this.#columns);
    this.#frozen = new Float64Array(rows * this.#columns);
    this.#feesPaid = new Float64Array(rows * this.#columns);
    this.#carried = new Float64Array(FIRST_WALLET_ROW * this.#columns);
    this.#changed = new Uint8Array(rows * this.#columns);
  }

  /** The row of an account's wallet. */
  rowOf(account: number, accountType: number): number {
    return FIRST_WALLET_ROW + account * WALLETS_PER_ACCOUNT + accountType;
  }

  /** Money that is free; exact for wallets, for the exchange's own rows see `exactly`. */
  available(row: number, currency: number): number {
    if (row < FIRST_WALLET_ROW) return Number(this.exactly(row, currency));
    return this.#available[row * this.#columns + currency]!;
  }

  /** Free money of any row, to the last unit. */
  exactly(row: number, currency: number): bigint {
    const cell = row * this.#columns + currency;
    const carried = BigInt(this.#carried[cell] ?? 0) * BigInt(CARRY);
    return BigInt(this.#available[cell]!) + carried;
  }

  /** The cell that holds the balance of a row in a currency. */
  cell(row: number, currency: number): number {
    return row * this.#columns + currency;
  }

  /** Whether a balance can take in that much more; the exchange's own always can. */
  hasRoom(cell: number, units: number): boolean {
    if (cell < this.#carried.length) return true;
    return this.#available[cell]! + this.#frozen[cell]! + units <= Number.MAX_SAFE_INTEGER;
  }

  frozen(row: number, currency: number): number {
    return this.#frozen[row * this.#columns + currency]!;
  }

  feesPaidBy(account: number, currency: number): number {
    let sum = 0;
    for (let wallet = 0; wallet < WALLETS_PER_ACCOUNT; wallet++) {
      sum += this.#feesPaid[this.rowOf(account, wallet) * this.#columns + currency]!;
    }
    return sum;
  }

  /** The sum of a currency over all rows, the rest of the world and the fees included. */
  total(currency: number): number {
    let sum = 0n;
    for (let row = 0; row * this.#columns < this.#available.length; row++) {
      sum += this.exactly(row, currency) + BigInt(this.frozen(row, currency));
    }
    return Number(sum);
  }

  /** Sets money aside for an order; false, and nothing done, when there is too little. */
  freeze(cell: number, units: number): boolean {
    if (!(this.#available[cell]! >= units)) return false;
    this.#available[cell]! -= units;
    this.#frozen[cell]! += units;
    this.#mark(cell);
    return true;
  }

  /** Gives frozen money back. */
  release(cell: number, units: number): void {
    this.#unfreeze(cell, units);
    this.#available[cell]! += units;
  }

  /** Pays: a wallet from its frozen money, the rest of the world by going negative if need be. */
  pay(cell: number, units: number): void {
    if (cell < this.#columns) this.#add(cell, -units);
    else this.#unfreeze(cell, units);
  }

  /** Brings money in; the caller has made sure that there is room. */
  receive(cell: number, units: number): void {
    this.#add(cell, units);
  }

  /** Collects a fee that the owner of a balance paid, or that was kept from what it received. */
  collectFee(cell: number, fee: number): void {
    this.#feesPaid[cell]! += fee;
    this.#add(FEE_ROW * this.#columns + (cell % this.#columns), fee);
  }

  /**
   * Moves available money from one row to another; the caller has made sure that it is there and
   * that there is room for it.
   */
  transfer({ from, to }: { from: number; to: number }, { currency, units }: Sum): void {
    const receiver = this.cell(to, currency);
    assert(this.hasRoom(receiver, units), 'Cannot transfer: the receiver has no room');
    this.#add(this.cell(from, currency), -units);
    this.#add(receiver, units);
  }

  /** Whether balances have changed since the last `drainChanges`. */
  get hasChanged(): boolean {
    return this.#changedCount > 0;
  }

  /**
   * Calls `visit` once for each balance that changed since the last call, oldest change first. It
   * must not change any balance.
   */
  drainChanges(visit: (row: number, currency: number) => void): void {
    for (let at = 0; at < this.#changedCount; at++) {
      const cell = this.#changedCells[at]!;
      this.#changed[cell] = 0;
      visit(Math.floor(cell / this.#columns), cell % this.#columns);
    }
    this.#changedCount = 0;
  }

  /** The account and the account type of a row, undefined for the exchange's own rows. */
  walletOf(row: number): { readonly account: number; readonly accountType: number } | undefined {
    const wallet = row - FIRST_WALLET_ROW;
    if (wallet < 0) return undefined;
    const accountType = wallet % WALLETS_PER_ACCOUNT;
    return { account: (wallet - accountType) / WALLETS_PER_ACCOUNT, accountType };
  }

  #unfreeze(cell: number, units: number): void {
    assert(this.#frozen[cell]! >= units, 'Cannot spend: less is frozen than the order needs');
    this.#frozen[cell]! -= units;
    this.#mark(cell);
  }

  #add(cell: number, units: number): void {
    const sum = this.#available[cell]! + units;
    this.#available[cell] = Number.isSafeInteger(sum) ? sum : this.#carry(cell, units);
    this.#mark(cell);
  }

  /** Adds to a full cell of the exchange's own rows, carrying `CARRY`. Returns what stays in it. */
  #carry(cell: number, units: number): number {
    const own = cell < this.#carried.length;
    assert(own, 'Cannot add to a balance: it would pass 2^53 units');
    const sign = Math.sign(units);
    this.#carried[cell]! += sign;
    // Balance and `units` have the same sign, or their sum would not have passed 2^53. So the
    // balance less `CARRY` has the other sign, and neither step leaves the range of exact whole
    // numbers.
    return this.#available[cell]! - sign * CARRY + units;
  }

  #mark(cell: number): void {
    if (this.#changed[cell] === 1) return;
    this.#changed[cell] = 1;
    this.#changedCells[this.#changedCount++] = cell;
  }
}
