import type { Deposit, DepositStatus } from '../../domain/index.ts';
import { OUTSIDE_ROW } from '../accounts.ts';
import { hashFrom } from './address-formats.ts';
import type { Chain, CurrencyEntry } from './catalogue.ts';
import { type FundsRecord, Records } from './records.ts';
import { later, type Vault } from './vault.ts';

/** A deposit when it is first seen. */
export interface Arrival {
  readonly account: number;
  readonly currency: CurrencyEntry;
  readonly units: number;
  /** Undefined for a transfer within the exchange. */
  readonly chain: Chain | undefined;
  readonly address: string;
  /** Hash of the transaction. Default: one of its own; none without a chain. */
  readonly hash?: string;
  /** How it ends. Default: as configured; within the exchange it succeeds. */
  readonly outcome?: DepositOutcome | undefined;
}
export type DepositOutcome = Exclude<DepositStatus, 'waiting'>;

interface DepositRecord extends FundsRecord {
  readonly units: number;
  /** Undefined for a transfer within the exchange. */
  readonly chain: Chain | undefined;
  readonly address: string;
  readonly hash: string;
  readonly submitTime: number;
  status: DepositStatus;
  /** Confirmations that the deposit ended with. */
  confirmations: number;
}

const DESCRIPTIONS: Readonly<Record<DepositStatus, string>> = {
  waiting: 'waiting for confirmations',
  failed: 'failed',
  succeeded: 'credited',
};

/** Money that comes in: it waits for its confirmations, then it is in the spot wallet. */
export class Deposits {
  readonly #vault: Vault;
  readonly #records = new Records<DepositRecord>(isOver);

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** Takes a new deposit in. Returns its id. */
  arrive(arrival: Arrival): string {
    const { chain } = arrival;
    const usual = chain === undefined ? 'succeeded' : this.#vault.settings.depositOutcome;
    const { outcome = usual } = arrival;
    const deposit = this.#add(arrival);
    if (chain === undefined || chain.confirmations === 0) this.#end(deposit, outcome);
    else {
      const waitMs = chain.confirmations * chain.blockMs;
      later(this.#vault, waitMs, () => this.#end(deposit, outcome));
    }
    return deposit.id;
  }

  /** Records money that came without a chain and is in the wallet already. Returns its id. */
  noteInternal(deposit: Pick<Arrival, 'account' | 'currency' | 'units' | 'address'>): string {
    const record = this.#add({ ...deposit, chain: undefined });
    record.status = 'succeeded';
    return record.id;
  }

  /** Lets a deposit fail before its time; false when no such deposit waits. */
  fail(account: number, id: string): boolean {
    const deposit = this.#records.byId(id);
    if (deposit?.account !== account || isOver(deposit)) return false;
    this.#end(deposit, 'failed');
    return true;
  }

  /** Oldest first. */
  of(account: number, currency: CurrencyEntry): readonly DepositRecord[] {
    return this.#records.of(account, currency);
  }

  /** A deposit in the terms of the exchange port. */
  readonly show = (deposit: DepositRecord): Deposit => {
    const { id, currency, units, address, hash, status, submitTime } = deposit;
    return {
      id,
      currency: currency.name,
      amount: this.#vault.accounts.currencies.money(currency.name, units),
      address,
      confirmations: this.#confirmationsOf(deposit),
      description: DESCRIPTIONS[status],
      hash,
      internal: deposit.chain === undefined,
      status,
      submitTime,
    };
  };

  #add(arrival: Arrival): DepositRecord {
    const { nextId, seed, clock } = this.#vault;
    const { account, currency, units, chain, address } = arrival;
    const id = nextId();
    const ownHash = chain === undefined ? '' : hashFrom(`${seed}/deposit-hash/${id}`);
    const { hash = ownHash } = arrival;
    const deposit: DepositRecord = {
      ...{ id, account, currency, units, chain, address, hash },
      submitTime: clock.now(),
      status: 'waiting',
      confirmations: 0,
    };
    this.#records.add(deposit);
    return deposit;
  }

  /** Ends a deposit as wanted; it fails if its wallet has no room for it by now. */
  #end(deposit: DepositRecord, wanted: DepositOutcome): void {
    if (isOver(deposit)) return;
    const { account, currency, units, chain } = deposit;
    const { accounts, bills } = this.#vault;
    const sum = { currency: currency.index, units };
    const row = accounts.rowOf(account, 0);
    const outcome = accounts.hasRoom(accounts.cell(row, sum.currency), units) ? wanted : 'failed';
    deposit.confirmations =
      outcome === 'failed' ? this.#confirmationsOf(deposit) : (chain?.confirmations ?? 0);
    deposit.status = outcome;
    if (outcome === 'failed') return;
    accounts.transfer({ from: OUTSIDE_ROW, to: row }, sum);
    bills.record(account, { ...sum, type: 'deposit', remark: chain?.name ?? '' });
  }

  /** Confirmations seen so far: while the deposit waits, the last one is still to come. */
  #confirmationsOf(deposit: DepositRecord): number {
    const { chain, confirmations, submitTime } = deposit;
    if (isOver(deposit) || chain === undefined) return confirmations;
    const blocks = Math.floor((this.#vault.clock.now() - submitTime) / chain.blockMs);
    return Math.max(0, Math.min(blocks, chain.confirmations - 1));
  }
}

function isOver({ status }: DepositRecord): boolean {
  return status !== 'waiting';
}
