import type { Withdrawal, WithdrawalStatus } from '../../domain/index.ts';
import { CODES } from '../../exchange/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { OUTSIDE_ROW } from '../accounts.ts';
import { notWithdrawn } from '../refusals.ts';
import { hashFrom } from './address-formats.ts';
import { type Destination, type OwnDestination, textOf } from './addresses.ts';
import type { CurrencyEntry } from './catalogue.ts';
import type { Deposits } from './deposits.ts';
import { type FundsRecord, Records } from './records.ts';
import { later, type Vault } from './vault.ts';

/** A withdrawal that is checked, except for the balance. */
export interface Submission {
  readonly account: number;
  readonly currency: CurrencyEntry;
  /** The amount that arrives. */
  readonly amount: Decimal;
  readonly fee: Decimal;
}

/** The status that a withdrawal can go on to. */
export type WithdrawalStep = Exclude<WithdrawalStatus, 'submitted'>;

interface WithdrawalRecord extends FundsRecord {
  readonly units: number;
  readonly feeUnits: number;
  readonly address: string;
  readonly submitTime: number;
  status: WithdrawalStatus;
  manageTime: number | undefined;
  hash: string;
}

/** The statuses from which a withdrawal may take each step: one that has ended takes none. */
const STEPS_FROM: Readonly<Record<WithdrawalStep, readonly WithdrawalStatus[]>> = {
  confirmed: ['submitted'],
  cancelled: ['submitted'],
  succeeded: ['submitted', 'confirmed'],
  failed: ['submitted', 'confirmed'],
};

/**
 * Money that goes out: frozen when submitted, sent when confirmed, gone when succeeded, and given
 * back in full, fee included, when it fails or is cancelled.
 */
export class Withdrawals {
  readonly #vault: Vault;
  readonly #deposits: Deposits;
  readonly #records = new Records<WithdrawalRecord>(isOver);

  constructor(vault: Vault, deposits: Deposits) {
    this.#vault = vault;
    this.#deposits = deposits;
  }

  /**
   * Takes a withdrawal over a chain. Returns its id.
   *
   * @throws {ExchangeFailure} `rejected` with 2009 when the balance is not enough.
   */
  submit(submission: Submission, destination: Destination): string {
    const { account, currency } = submission;
    const { accounts, bills, settings } = this.#vault;
    const { units, feeUnits } = this.#affordable(submission);
    accounts.freeze(accounts.cell(accounts.rowOf(account, 0), currency.index), units + feeUnits);
    const remark = textOf(destination);
    const { index } = currency;
    bills.record(account, { currency: index, units: -units, type: 'withdrawal', remark });
    bills.record(account, { currency: index, units: -feeUnits, type: 'withdrawal fee', remark });
    const withdrawal = this.#add({ account, currency, units, feeUnits, address: remark });
    const { reviewMs, withdrawalOutcome: outcome } = settings;
    later(this.#vault, reviewMs, () => {
      this.#step(withdrawal, outcome === 'cancelled' ? 'cancelled' : 'confirmed');
    });
    return withdrawal.id;
  }

  /**
   * Moves money to another account of the exchange, at once and without a fee. Returns the id of
   * the withdrawal.
   *
   * @throws {ExchangeFailure} `rejected` with 2009 when the balance is not enough.
   */
  transfer(submission: Omit<Submission, 'fee'>, destination: OwnDestination): string {
    const { account, currency, amount } = submission;
    const { accounts, bills } = this.#vault;
    const { units } = this.#affordable({ account, currency, amount, fee: Decimal.ZERO });
    const address = textOf(destination);
    const rows = { from: accounts.rowOf(account, 0), to: accounts.rowOf(destination.account, 0) };
    const sum = { currency: currency.index, units };
    if (!accounts.hasRoom(accounts.cell(rows.to, sum.currency), units)) {
      throw notWithdrawn(CODES.general, 'the receiving wallet cannot hold that much more');
    }
    accounts.transfer(rows, sum);
    const out = { currency: currency.index, units: -units };
    bills.record(account, { ...out, type: 'transfer out', remark: address });
    bills.record(destination.account, { ...sum, type: 'transfer in', remark: address });
    this.#deposits.noteInternal({ account: destination.account, currency, units, address });
    const withdrawal = this.#add({ account, currency, units, feeUnits: 0, address });
    withdrawal.status = 'succeeded';
    withdrawal.manageTime = withdrawal.submitTime;
    return withdrawal.id;
  }

  /** Advances a withdrawal; false when there is no such one, or it cannot take that step. */
  step(account: number, { id, status }: { id: string; status: WithdrawalStep }): boolean {
    const withdrawal = this.#records.byId(id);
    return withdrawal?.account === account && this.#step(withdrawal, status);
  }

  /** The withdrawals of an account and a currency, oldest first. */
  of(account: number, currency: CurrencyEntry): readonly WithdrawalRecord[] {
    return this.#records.of(account, currency);
  }

  /** A withdrawal in the terms of the exchange port. */
  readonly show = (withdrawal: WithdrawalRecord): Withdrawal => {
    const { id, currency, units, feeUnits, status, submitTime, manageTime } = withdrawal;
    const { currencies } = this.#vault.accounts;
    return {
      id,
      amount: currencies.money(currency.name, units),
      fee: currencies.money(currency.name, feeUnits),
      status,
      submitTime,
      manageTime,
      address: withdrawal.address,
      merchantOrderNumber: '',
      hash: withdrawal.hash,
    };
  };

  /** A withdrawal in whole units. @throws {ExchangeFailure} when the wallet can't pay for it. */
  #affordable({ account, currency, amount, fee }: Submission): { units: number; feeUnits: number } {
    const { accounts } = this.#vault;
    const scale = accounts.currencies.scaleOf(currency.name);
    const units = amount.round(scale, 'down').units;
    const feeUnits = fee.round(scale, 'down').units;
    const available = accounts.available(accounts.rowOf(account, 0), currency.index);
    if (units + feeUnits <= BigInt(available)) {
      return { units: Number(units), feeUnits: Number(feeUnits) };
    }
    throw notWithdrawn(CODES.balance, 'the account balance is not enough');
  }

  #add(
    terms: Pick<WithdrawalRecord, 'account' | 'currency' | 'units' | 'feeUnits' | 'address'>,
  ): WithdrawalRecord {
    const withdrawal: WithdrawalRecord = {
      ...terms,
      id: this.#vault.nextId(),
      submitTime: this.#vault.clock.now(),
      status: 'submitted',
      manageTime: undefined,
      hash: '',
    };
    this.#records.add(withdrawal);
    return withdrawal;
  }

  #step(withdrawal: WithdrawalRecord, status: WithdrawalStep): boolean {
    if (!STEPS_FROM[status].includes(withdrawal.status)) return false;
    const { clock, seed, settings } = this.#vault;
    withdrawal.status = status;
    withdrawal.manageTime = clock.now();
    const sent = status === 'confirmed' || status === 'succeeded';
    if (sent) withdrawal.hash ||= hashFrom(`${seed}/withdrawal-hash/${withdrawal.id}`);
    if (status !== 'confirmed') this.#finish(withdrawal, status);
    else {
      const end = settings.withdrawalOutcome === 'failed' ? 'failed' : 'succeeded';
      later(this.#vault, settings.transferMs, () => this.#step(withdrawal, end));
    }
    return true;
  }

  /** Sends the frozen money out, or gives it back. */
  #finish(withdrawal: WithdrawalRecord, status: Exclude<WithdrawalStep, 'confirmed'>): void {
    const { accounts, bills } = this.#vault;
    const { account, currency, units, feeUnits, address: remark } = withdrawal;
    const cell = accounts.cell(accounts.rowOf(account, 0), currency.index);
    const sum = { currency: currency.index, units: units + feeUnits };
    if (status === 'succeeded') {
      accounts.pay(cell, sum.units);
      accounts.receive(accounts.cell(OUTSIDE_ROW, sum.currency), sum.units);
      this.#arrive(withdrawal);
      return;
    }
    accounts.release(cell, sum.units);
    bills.record(account, { ...sum, type: 'withdrawal returned', remark });
  }

  /** Money sent over a chain to an address of this exchange arrives there as a deposit. */
  #arrive({ currency, units, address, hash }: WithdrawalRecord): void {
    const owner = this.#vault.addresses.ownerOf(currency, address);
    if (owner === undefined) return;
    const { account, chain } = owner;
    const outcome = chain.canDeposit ? undefined : 'failed';
    this.#deposits.arrive({ account, chain, currency, units, address, hash, outcome });
  }
}

function isOver({ status }: WithdrawalRecord): boolean {
  return status !== 'submitted' && status !== 'confirmed';
}
