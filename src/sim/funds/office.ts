import type { CurrencyInfo, FundsPort, Permissions } from '../../exchange/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { SimulationError } from '../errors.ts';
import type { TradingFloor } from '../trading-floor.ts';
import { Addresses, type AddressHolder, textOf } from './addresses.ts';
import { type CurrencyEntry, catalogueOf, isExact } from './catalogue.ts';
import { type CurrencySettings, DEFAULT_PASSWORD, type FundsSettings } from './config.ts';
import { type DepositOutcome, Deposits } from './deposits.ts';
import { FundsDesk } from './funds-desk.ts';
import { PasswordLock } from './password-lock.ts';
import type { Vault } from './vault.ts';
import { type WithdrawalStep, Withdrawals } from './withdrawals.ts';

/** The settings of an account about its funds. */
export interface AccountFundsOptions extends AddressHolder {
  /** The password of its withdrawals. Default: `funds-password`. */
  readonly fundsPassword?: string;
}

export interface FundsOfficeOptions {
  readonly seed: string;
  readonly settings: FundsSettings;
  readonly currencies: Readonly<Record<string, CurrencySettings>>;
  readonly accounts: readonly AccountFundsOptions[];
}

/** Money that somebody sends to an account. */
export interface IncomingDeposit {
  readonly currency: string;
  /** A text such as "0.5", or the exact decimal. */
  readonly amount: string | Decimal;
  /** Name of the chain. Default: the main one. */
  readonly chain?: string | undefined;
  /** Whether it comes from within the exchange: at once, without a chain. Default: false. */
  readonly internal?: boolean | undefined;
  /** How it ends. Default: as configured; from within the exchange it succeeds. */
  readonly outcome?: DepositOutcome | undefined;
}

/** The deposits and withdrawals of all accounts. */
export class FundsOffice {
  readonly #floor: TradingFloor;
  readonly #vault: Vault;
  readonly #deposits: Deposits;
  readonly #withdrawals: Withdrawals;
  readonly #accounts: readonly AccountFundsOptions[];

  /** @throws {SimulationError} for invalid settings of currencies or addresses. */
  constructor(floor: TradingFloor, options: FundsOfficeOptions) {
    const { seed, settings, accounts: holders } = options;
    const { clock, accounts, publisher, bills, ids, nextOrdinal } = floor;
    const catalogue = catalogueOf(accounts.currencies, options.currencies);
    const addresses = new Addresses({ seed, catalogue, holders });
    const nextId = (): string => ids.text(nextOrdinal(), clock.now());
    const parts = { clock, accounts, publisher, bills };
    this.#floor = floor;
    this.#accounts = holders;
    this.#vault = { ...parts, catalogue, addresses, settings, seed, nextId };
    this.#deposits = new Deposits(this.#vault);
    this.#withdrawals = new Withdrawals(this.#vault, this.#deposits);
  }

  /** What the exchange tells of its currencies. */
  get currencies(): readonly CurrencyInfo[] {
    return [...this.#vault.catalogue.values()].map(({ name, fullName, decimals, chains }) => ({
      ...{ currency: name, fullName, decimals, canLoan: false },
      canDeposit: chains.some(({ canDeposit }) => canDeposit),
      canWithdraw: chains.some(({ canWithdraw }) => canWithdraw),
    }));
  }

  desk(account: number, permissions: Permissions): FundsPort {
    const { passwordAttempts: attempts, passwordLockMs: lockMs } = this.#vault.settings;
    const { fundsPassword: password = DEFAULT_PASSWORD } = this.#accounts[account]!;
    const { clock, calls } = this.#floor;
    return new FundsDesk({
      calls,
      account,
      permissions,
      vault: this.#vault,
      deposits: this.#deposits,
      withdrawals: this.#withdrawals,
      lock: new PasswordLock({ password, clock, attempts, lockMs }),
    });
  }

  /** Lets a deposit come in. Returns its id. @throws {SimulationError} when it cannot come so. */
  creditDeposit(account: number, deposit: IncomingDeposit): string {
    const currency = this.#currency(deposit.currency);
    const units = this.#unitsOf(currency, deposit.amount);
    const { accounts } = this.#vault;
    if (!accounts.hasRoom(accounts.cell(accounts.rowOf(account, 0), currency.index), units)) {
      throw unpayable(currency, 'its wallet would hold more than 2^53 units');
    }
    const { chain: name = currency.chains[0].name, outcome } = deposit;
    const destinations = this.#vault.addresses.deposit(account, currency);
    const to = destinations.find(({ chain }) => chain.name === name);
    if (to === undefined) throw unpayable(currency, `there is no address on the chain ${name}`);
    if (deposit.internal !== true && !to.chain.canDeposit) {
      throw unpayable(currency, `deposits on the chain ${name} are closed`);
    }
    const chain = deposit.internal === true ? undefined : to.chain;
    const id = this.#deposits.arrive({
      ...{ account, currency, units, chain, outcome },
      address: textOf(to),
    });
    this.#floor.publisher.publish();
    return id;
  }

  /** Lets a waiting deposit fail. @throws {SimulationError} when no such deposit waits. */
  failDeposit(account: number, id: string): void {
    if (this.#deposits.fail(account, id)) return;
    throw new SimulationError(`Cannot fail the deposit ${id}: none such waits`);
  }

  /**
   * Advances a withdrawal ahead of its time.
   *
   * @throws {SimulationError} when there is no such withdrawal, or it cannot take that step.
   */
  stepWithdrawal(account: number, step: { id: string; status: WithdrawalStep }): void {
    if (!this.#withdrawals.step(account, step)) {
      throw new SimulationError(
        `Cannot set the withdrawal ${step.id} to ${step.status}: none such is on its way there`,
      );
    }
    this.#floor.publisher.publish();
  }

  #currency(name: string): CurrencyEntry {
    const currency = this.#vault.catalogue.get(name);
    if (currency !== undefined) return currency;
    throw new SimulationError(`Cannot use the currency ${name}: the exchange has none such`);
  }

  #unitsOf(currency: CurrencyEntry, amount: string | Decimal): number {
    const money = Decimal.of(amount);
    if (money.sign <= 0 || !isExact(money, currency.decimals)) {
      throw unpayable(
        currency,
        `the amount is ${money}, above 0 with at most ${currency.decimals} decimal places is wanted`,
      );
    }
    return this.#vault.accounts.currencies.units(currency.name, money.toString());
  }
}

function unpayable({ name }: CurrencyEntry, why: string): SimulationError {
  return new SimulationError(`Cannot deposit ${name}: ${why}`);
}
