import type { Observable } from 'rxjs';
import type {
  Bill,
  ChainAddress,
  Deposit,
  Page,
  Withdrawal,
  WithdrawalFee,
} from '../../domain/index.ts';
import {
  type BillsQuery,
  CODES,
  type FundsPort,
  type Permissions,
  type RecordsQuery,
  type WithdrawRequest,
} from '../../exchange/index.ts';
import type { Decimal } from '../../kernel/index.ts';
import type { Calls } from '../calls.ts';
import { checkedPage, pageOf } from '../pages.ts';
import { invalidArguments, notPermitted, notWithdrawn, rejection } from '../refusals.ts';
import { type Destination, type OwnDestination, textOf } from './addresses.ts';
import { type Chain, type CurrencyEntry, isExact } from './catalogue.ts';
import type { Deposits } from './deposits.ts';
import type { PasswordLock } from './password-lock.ts';
import type { Vault } from './vault.ts';
import type { Withdrawals } from './withdrawals.ts';

/** Source: contract, Limits. */
const BILLS_PAGE = { least: 10, most: 50 };
/** The contract names no bounds: these are those of the lists of orders. */
const RECORDS_PAGE = { least: 1, most: 100 };

export interface FundsDeskOptions {
  readonly calls: Calls;
  readonly vault: Vault;
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  readonly account: number;
  readonly permissions: Permissions;
  readonly lock: PasswordLock;
}

/** Deposits and withdrawals of one account, and its bills. */
export class FundsDesk implements FundsPort {
  readonly #options: FundsDeskOptions;

  constructor(options: FundsDeskOptions) {
    this.#options = options;
  }

  bills(query: BillsQuery): Observable<readonly Bill[]> {
    return this.#call('assets', ({ vault, account }) => {
      if (query.currency !== undefined) this.#currency(query.currency);
      return vault.bills.page(account, { ...query, ...checkedPage(query, BILLS_PAGE) });
    });
  }

  /** The deposit address; that of the main chain if there are several. */
  depositAddress(currency: string): Observable<string> {
    return this.#call('withdrawals', () => textOf(this.#depositDestinations(currency)[0]));
  }

  depositAddresses(currency: string): Observable<readonly ChainAddress[]> {
    return this.#call('withdrawals', () =>
      this.#depositDestinations(currency).map(({ chain, address, memo }) => {
        const { name, canDeposit, canWithdraw } = chain;
        return { chain: name, address, memo, canDeposit, canWithdraw };
      }),
    );
  }

  withdrawalAddress(currency: string): Observable<string> {
    return this.#call('withdrawals', ({ vault, account }) => {
      const [preferred] = vault.addresses.verified(account, this.#currency(currency));
      if (preferred !== undefined) return textOf(preferred);
      throw notWithdrawn(CODES.general, `no address of ${currency} is verified`);
    });
  }

  withdrawals(query: RecordsQuery): Observable<Page<Withdrawal>> {
    return this.#call('withdrawals', ({ withdrawals, account }) => {
      const records = withdrawals.of(account, this.#currency(query.currency));
      return pageOf(records, checkedPage(query, RECORDS_PAGE), withdrawals.show);
    });
  }

  deposits(query: RecordsQuery): Observable<Page<Deposit>> {
    return this.#call('withdrawals', ({ deposits, account }) => {
      const records = deposits.of(account, this.#currency(query.currency));
      return pageOf(records, checkedPage(query, RECORDS_PAGE), deposits.show);
    });
  }

  /** Needs no permission: unsigned requests may ask for the fees, too. */
  withdrawalFees(currency?: string): Observable<ReadonlyMap<string, readonly WithdrawalFee[]>> {
    return this.#options.calls.call(() => {
      const { catalogue } = this.#options.vault;
      const asked = currency === undefined ? [...catalogue.values()] : [this.#currency(currency)];
      return new Map(asked.map(({ name, chains }) => [name, chains.map(feeOf)]));
    });
  }

  withdraw(request: WithdrawRequest): Observable<{ readonly withdrawalId: string }> {
    return this.#call('withdrawals', ({ lock, withdrawals, account }) => {
      const currency = this.#currency(request.currency);
      const verified = this.#verifiedDestinations(currency, request);
      const own = this.#internalDestination(currency, request);
      const destination = own ?? openDestination(currency, { verified, fee: request.fee });
      checkFee(request, { chain: destination.chain, internal: own !== undefined });
      checkAmount(request, { currency, chain: destination.chain });
      lock.check(request.password);
      const { amount, fee } = request;
      const withdrawalId =
        own === undefined
          ? withdrawals.submit({ account, currency, amount, fee }, destination)
          : withdrawals.transfer({ account, currency, amount }, own);
      return { withdrawalId };
    });
  }

  #call<T>(permission: keyof Permissions, work: (options: FundsDeskOptions) => T): Observable<T> {
    return this.#options.calls.call(() => {
      if (!this.#options.permissions[permission]) throw notPermitted('use the funds');
      return work(this.#options);
    });
  }

  #currency(name: string): CurrencyEntry {
    const currency = this.#options.vault.catalogue.get(name);
    if (currency !== undefined) return currency;
    throw invalidArguments(`Cannot use the currency ${name}: the exchange has none such`);
  }

  #depositDestinations(name: string): [Destination, ...Destination[]] {
    const { vault, account } = this.#options;
    const [main, ...others] = vault.addresses.deposit(account, this.#currency(name));
    if (main !== undefined) return [main, ...others];
    // The contract names no code for this.
    const why = 'it has to be created first';
    throw rejection(CODES.general, `Cannot show the deposit address of ${name}: ${why}`);
  }

  /** The account of this exchange that owns the address, if the request allows a transfer to it. */
  #internalDestination(
    currency: CurrencyEntry,
    { internal = false, address }: WithdrawRequest,
  ): OwnDestination | undefined {
    if (!internal) return undefined;
    const { vault, account } = this.#options;
    const owner = vault.addresses.ownerOf(currency, address);
    return owner?.account === account ? undefined : owner;
  }

  /** The verified destinations with the requested address: without one no money leaves. */
  #verifiedDestinations(
    currency: CurrencyEntry,
    { address }: WithdrawRequest,
  ): readonly [Destination, ...Destination[]] {
    const { vault, account } = this.#options;
    const [first, ...others] = vault.addresses
      .verified(account, currency)
      .filter((destination) => textOf(destination) === address);
    if (first !== undefined) return [first, ...others];
    throw notWithdrawn(CODES.invalidArguments, 'the address is not verified');
  }
}

/** The destination whose chain is open; if several share the address, the one whose fee is paid. */
function openDestination(
  { name }: CurrencyEntry,
  { verified, fee }: { verified: readonly [Destination, ...Destination[]]; fee: Decimal },
): Destination {
  const open = verified.filter(({ chain }) => chain.canWithdraw);
  if (open[0] === undefined) throw closed(`${name} on the chain ${verified[0].chain.name}`);
  return open.find(({ chain }) => chain.fee.equals(fee)) ?? open[0];
}

function closed(what: string) {
  return notWithdrawn(CODES.general, `withdrawals of ${what} are closed`);
}

/** A request must offer the chain's fee; within the exchange none is charged, so 0 will do, too. */
function checkFee(
  { fee }: WithdrawRequest,
  { chain, internal }: { chain: Chain; internal: boolean },
): void {
  if (chain.fee.equals(fee) || (internal && fee.sign === 0)) return;
  throw notWithdrawn(
    CODES.invalidArguments,
    `the fee is ${fee}, on the chain ${chain.name} it has to be ${chain.fee}`,
  );
}

function checkAmount(
  { amount }: WithdrawRequest,
  { currency, chain }: { currency: CurrencyEntry; chain: Chain },
): void {
  const { decimals } = currency;
  if (amount.sign <= 0 || !isExact(amount, decimals)) {
    throw notWithdrawn(
      CODES.invalidAmount,
      `the amount is ${amount}, above 0 with at most ${decimals} decimal places is wanted`,
    );
  }
  if (amount.compare(chain.minWithdrawal) >= 0) return;
  throw notWithdrawn(
    CODES.invalidAmount,
    `the amount is ${amount}, at least ${chain.minWithdrawal} is wanted`,
  );
}

function feeOf({ name, mainChain, fee, canDeposit, canWithdraw }: Chain): WithdrawalFee {
  return { chain: name, mainChain, fee, canDeposit, canWithdraw };
}
