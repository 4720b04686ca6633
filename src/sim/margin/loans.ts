import { type Clock, DAY_MS, getOrInsert } from '../../kernel/index.ts';
import type { Sum } from '../accounts.ts';

/** Interest rates are whole millionths: 0.001 a day is 1000 of them. */
const MILLION = 1_000_000;
/** The divisor that turns units x milliseconds x millionths a day into units. */
const DIVISOR = BigInt(DAY_MS) * BigInt(MILLION);

/** What a wallet owes of one currency, in whole units. */
export interface Debt {
  readonly principal: number;
  /** Interest that is not paid yet, rounded up to a unit. */
  readonly interest: number;
}

const NO_DEBT: Debt = { principal: 0, interest: 0 };

/** One loan: `unitMs` is the principal summed up over the milliseconds until `untilMs`. */
interface Loan {
  principal: number;
  unitMs: bigint;
  untilMs: number;
  interestPaid: bigint;
}

/**
 * The loans of all wallets, one for each wallet and currency.
 *
 * Interest runs by the millisecond on the principal only. It is counted in units x milliseconds, so
 * it is exact and the same however often it is read; only the sum owed is rounded, upwards.
 */
export class Loans {
  readonly #clock: Clock;
  readonly #rate: bigint;
  readonly #byWallet = new Map<number, Map<number, Loan>>();

  /** `ratePerDay`: a fraction in steps of 0.000001. */
  constructor({ clock, ratePerDay }: { clock: Clock; ratePerDay: number }) {
    this.#clock = clock;
    this.#rate = BigInt(Math.round(ratePerDay * MILLION));
  }

  /** What a wallet owes of a currency now. */
  debt(row: number, currency: number): Debt {
    const loan = this.#byWallet.get(row)?.get(currency);
    if (loan === undefined) return NO_DEBT;
    this.#accrue(loan);
    return { principal: loan.principal, interest: this.#interestOf(loan) };
  }

  /** Adds to what a wallet owes. */
  borrow(row: number, { currency, units }: Sum): void {
    const loan = this.#loanOf(row, currency);
    this.#accrue(loan);
    loan.principal += units;
  }

  /** Pays interest, then principal. Returns how much of the sum that took. */
  repay(row: number, { currency, units }: Sum): number {
    const loans = this.#byWallet.get(row);
    const loan = loans?.get(currency);
    if (loan === undefined) return 0;
    this.#accrue(loan);
    const interest = Math.min(units, this.#interestOf(loan));
    const principal = Math.min(units - interest, loan.principal);
    loan.interestPaid += BigInt(interest);
    loan.principal -= principal;
    if (loan.principal === 0) loans!.delete(currency);
    return interest + principal;
  }

  #loanOf(row: number, currency: number): Loan {
    const loans = getOrInsert(this.#byWallet, row, () => new Map<number, Loan>());
    const untilMs = this.#nowMs();
    return getOrInsert(loans, currency, () => {
      return { principal: 0, unitMs: 0n, untilMs, interestPaid: 0n };
    });
  }

  #accrue(loan: Loan): void {
    const nowMs = this.#nowMs();
    loan.unitMs += BigInt(loan.principal) * BigInt(nowMs - loan.untilMs);
    loan.untilMs = nowMs;
  }

  #interestOf(loan: Loan): number {
    const charged = (loan.unitMs * this.#rate + DIVISOR - 1n) / DIVISOR;
    return Number(charged - loan.interestPaid);
  }

  #nowMs(): number {
    return Math.floor(this.#clock.now());
  }
}
