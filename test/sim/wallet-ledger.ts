import type { Side } from '../../src/domain/index.ts';

/** The rows that are nobody's wallet, as in the exchange. */
const WORLD = 0;
const FEES = 1;
const LENDER = 2;
const BASE = 0;
const QUOTE = 1;

/** Units of money in one of amount, and in one of price x amount, where both have 8 places. */
const BASE_FACTOR = 10_000;
const QUOTE_FACTOR = 100;
const MILLION = 1_000_000;
/** 0.001 a day: the fraction of a unit that a millisecond costs is one of these. */
const INTEREST_DIVISOR = 86_400_000n * 1_000n;

export interface WalletOrder {
  readonly row: number;
  readonly side: Side;
  readonly price: number;
  readonly amount: number;
  readonly repays: boolean;
}

interface Fill {
  readonly price: number;
  readonly amount: number;
}

interface WalletLoan {
  principal: number;
  unitMs: bigint;
  untilMs: number;
  paid: bigint;
}

/**
 * What each wallet holds, written down trade by trade with plain sums; base is currency 0, quote 1.
 *
 * It knows nothing of priorities: it is told who traded with whom.
 */
export class WalletLedger {
  readonly free: number[][];
  readonly frozen: number[][];
  /** Of all loans and currencies. */
  interestPaid = 0;
  readonly #orders = new Map<number, { readonly order: WalletOrder; remaining: number }>();
  readonly #loans = new Map<string, WalletLoan>();
  readonly #rates: { readonly maker: number; readonly taker: number };
  #nowMs = 0;

  /** `rates`: millionths. */
  constructor(rows: number, rates: { maker: number; taker: number }) {
    this.free = Array.from({ length: rows }, () => [0, 0]);
    this.frozen = Array.from({ length: rows }, () => [0, 0]);
    this.#rates = rates;
  }

  canPay(order: WalletOrder): boolean {
    return this.free[order.row]![given(order)]! >= costOf(order, order.amount);
  }

  /** Takes an order that the exchange has taken: what it cannot pay was lent. */
  place(id: number, order: WalletOrder): void {
    const missing = costOf(order, order.amount) - this.free[order.row]![given(order)]!;
    if (missing > 0) this.#borrow(order.row, given(order), missing);
    this.#freeze(order.row, given(order), costOf(order, order.amount));
    this.#orders.set(id, { order, remaining: order.amount });
  }

  /** Closes an order: what is left of it is free again. */
  close(id: number): void {
    const { order, remaining } = this.#orders.get(id)!;
    this.#orders.delete(id);
    this.#giveBack(order, costOf(order, remaining));
  }

  /** A trade of two orders; the taker is undefined for the rest of the world. */
  trade({ maker, taker, fill }: { maker: number; taker: number | undefined; fill: Fill }): void {
    this.#settle(maker, fill, this.#rates.maker);
    if (taker !== undefined) this.#settle(taker, fill, this.#rates.taker);
    else this.#settleWorld(this.#orders.get(maker)!.order, fill);
    for (const id of [maker, taker]) {
      if (id !== undefined && this.#orders.get(id)!.remaining === 0) this.close(id);
    }
  }

  advance(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  /** What a wallet owes: the principal, and interest up to the next whole unit. */
  debtOf(row: number, currency: number): { principal: number; interest: number } {
    const loan = this.#loans.get(`${row} ${currency}`);
    if (loan === undefined) return { principal: 0, interest: 0 };
    loan.unitMs += BigInt(loan.principal) * BigInt(this.#nowMs - loan.untilMs);
    loan.untilMs = this.#nowMs;
    const charged = (loan.unitMs + INTEREST_DIVISOR - 1n) / INTEREST_DIVISOR;
    return { principal: loan.principal, interest: Number(charged - loan.paid) };
  }

  #settle(id: number, fill: Fill, millionths: number): void {
    const open = this.#orders.get(id)!;
    const { order } = open;
    const { row } = order;
    const paid = moneyOf(given(order), fill);
    open.remaining -= fill.amount;
    this.frozen[row]![given(order)]! -= paid;
    this.#giveBack(order, costOf(order, fill.amount) - paid);
    const currency = received(order);
    const units = moneyOf(currency, fill);
    const fee = Math.ceil((units * millionths) / MILLION);
    this.free[row]![currency]! += units - fee;
    this.free[FEES]![currency]! += fee;
    if (order.repays) this.#repay(row, currency, units - fee);
  }

  #settleWorld(maker: WalletOrder, fill: Fill): void {
    this.free[WORLD]![given(maker)]! += moneyOf(given(maker), fill);
    this.free[WORLD]![received(maker)]! -= moneyOf(received(maker), fill);
  }

  #giveBack(order: WalletOrder, units: number): void {
    this.#freeze(order.row, given(order), -units);
    if (order.repays) this.#repay(order.row, given(order), units);
  }

  #freeze(row: number, currency: number, units: number): void {
    this.free[row]![currency]! -= units;
    this.frozen[row]![currency]! += units;
  }

  #borrow(row: number, currency: number, units: number): void {
    this.debtOf(row, currency);
    const key = `${row} ${currency}`;
    const fresh = { principal: 0, unitMs: 0n, untilMs: this.#nowMs, paid: 0n };
    const loan = this.#loans.get(key) ?? fresh;
    this.#loans.set(key, loan);
    loan.principal += units;
    this.free[row]![currency]! += units;
    this.free[LENDER]![currency]! -= units;
  }

  #repay(row: number, currency: number, units: number): void {
    const key = `${row} ${currency}`;
    const debt = this.debtOf(row, currency);
    const interest = Math.min(units, debt.interest);
    const principal = Math.min(units - interest, debt.principal);
    if (interest + principal === 0) return;
    const loan = this.#loans.get(key)!;
    loan.paid += BigInt(interest);
    this.interestPaid += interest;
    loan.principal -= principal;
    if (principal === debt.principal && interest === debt.interest) this.#loans.delete(key);
    this.free[row]![currency]! -= interest + principal;
    this.free[LENDER]![currency]! += interest + principal;
  }
}

/** The currency that an order pays with. */
function given({ side }: Pick<WalletOrder, 'side'>): number {
  return side === 'buy' ? QUOTE : BASE;
}

function received({ side }: Pick<WalletOrder, 'side'>): number {
  return side === 'buy' ? BASE : QUOTE;
}

function costOf(order: Pick<WalletOrder, 'side' | 'price'>, amount: number): number {
  return moneyOf(given(order), { price: order.price, amount });
}

function moneyOf(currency: number, { price, amount }: Fill): number {
  return currency === BASE ? amount * BASE_FACTOR : price * amount * QUOTE_FACTOR;
}
