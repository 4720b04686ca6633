import { expect } from 'vitest';
import type { WithdrawalStatus } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import type { Random, VirtualClock } from '../../src/kernel/index.ts';
import { AccountPushes } from '../../src/sim/account-pushes.ts';
import type { Accounts } from '../../src/sim/accounts.ts';
import { Addresses } from '../../src/sim/funds/addresses.ts';
import { Bills } from '../../src/sim/funds/bills.ts';
import { catalogueOf } from '../../src/sim/funds/catalogue.ts';
import { fundsSchema } from '../../src/sim/funds/config.ts';
import { Deposits } from '../../src/sim/funds/deposits.ts';
import type { Vault } from '../../src/sim/funds/vault.ts';
import { type WithdrawalStep, Withdrawals } from '../../src/sim/funds/withdrawals.ts';
import { OrderIds } from '../../src/sim/order-ids.ts';
import { Publisher } from '../../src/sim/publisher.ts';
import type { WalletDeposit, WalletLedger, WalletWithdrawal } from './wallet-ledger.ts';

const STEPS: readonly WithdrawalStep[] = ['confirmed', 'succeeded', 'failed', 'cancelled'];
const OUTCOMES = ['succeeded', 'failed'] as const;
/** Steps are taken with the newest so many: older ones have ended. */
const NEWEST = 20;
/** Up to 1 btc and 100 usdt are moved at once. */
const UNITS_MAX = [100_000_000, 10_000_000_000];

/** Deposits and withdrawals of random accounts, each done to the exchange and to a ledger. */
export class FundsTraffic {
  /** What must have happened in a long run. */
  static readonly STORIES = [
    'deposit failed early',
    'deposit failed late',
    'deposit succeeded early',
    'deposit waits',
    'withdrawal cancelled',
    'withdrawal cancelled late',
    'withdrawal confirmed',
    'withdrawal confirmed late',
    'withdrawal failed',
    'withdrawal failed late',
    'withdrawal succeeded',
    'withdrawal succeeded late',
    'withdrawal unaffordable',
    'withdrawal submitted',
  ].sort();
  readonly bills: Bills;
  readonly #options: FundsTrafficOptions;
  readonly #vault: Vault;
  readonly #deposits: Deposits;
  readonly #withdrawals: Withdrawals;
  readonly #waiting: Known<WalletDeposit>[] = [];
  readonly #leaving: Known<WalletWithdrawal>[] = [];
  readonly #underWay = new Set<WalletWithdrawal>();
  readonly #seen = new Set<string>();

  constructor(options: FundsTrafficOptions) {
    const { clock, accounts, count } = options;
    const catalogue = catalogueOf(accounts.currencies, {});
    const holders = Array.from({ length: count }, (_, number) => ({ name: `account ${number}` }));
    const pushes = holders.map(() => new AccountPushes());
    const seed = 'traffic';
    let lastId = 0;
    this.#options = options;
    this.bills = new Bills({ clock, accounts, ids: new OrderIds(clock), count });
    this.#vault = {
      clock,
      accounts,
      publisher: new Publisher({ clock, accounts, pushes, pushMs: 0 }),
      bills: this.bills,
      catalogue,
      addresses: new Addresses({ seed, catalogue, holders }),
      settings: fundsSchema.parse({}),
      seed,
      nextId: () => String(++lastId),
    };
    this.#deposits = new Deposits(this.#vault);
    this.#withdrawals = new Withdrawals(this.#vault, this.#deposits);
  }

  /** Bills what the spot wallets were opened with. */
  billOpening(openingUnits: readonly number[]): void {
    for (let account = 0; account < this.#options.count; account++) {
      for (const [currency, units] of openingUnits.entries()) {
        this.bills.record(account, { currency, units, type: 'opening balance', remark: '' });
      }
    }
  }

  step(): void {
    const draw = this.#options.random.next();
    if (draw < 0.35) this.#deposit();
    else if (draw < 0.75) this.#withdraw();
    else if (draw < 0.85) this.#endDeposit();
    else this.#stepWithdrawal();
  }

  stories(): string[] {
    return [...this.#seen].sort();
  }

  /** The newest bill of each spot wallet tells what it holds, less what is on its way out. */
  auditBills(): void {
    const { accounts, ledger, count } = this.#options;
    for (const one of this.#underWay) if (!isLeaving(one.status)) this.#underWay.delete(one);
    for (let account = 0; account < count; account++) {
      for (const [currency, name] of accounts.currencies.names.entries()) {
        const row = accounts.rowOf(account, 0);
        let units = ledger.free[row]![currency]! + ledger.frozen[row]![currency]!;
        for (const one of this.#underWay) {
          if (one.row === row && one.currency === currency) units -= one.units;
        }
        const [newest] = this.bills.page(account, { currency: name, page: 1, pageSize: 10 });
        expect(newest?.balance.toString()).toBe(accounts.currencies.money(name, units).toString());
      }
    }
  }

  #deposit(): void {
    const { ledger, accounts } = this.#options;
    const { account, currency, units } = this.#drawn();
    const chain = currency.chains[0];
    const arrival = { account, currency, units, chain, address: 'somewhere' };
    const id = this.#deposits.arrive(arrival);
    const terms = { row: accounts.rowOf(account, 0), currency: currency.index, units };
    const oracle = ledger.deposit(terms, { waitMs: chain.confirmations * chain.blockMs });
    this.#seen.add('deposit waits');
    remember(this.#waiting, { id, account, oracle });
  }

  #withdraw(): void {
    const { ledger, accounts } = this.#options;
    const { account, currency, units } = this.#drawn();
    const [chain] = currency.chains;
    const { name, index } = currency;
    const amount = accounts.currencies.money(name, units);
    const id = submitted(() =>
      this.#withdrawals.submit(
        { account, currency, amount, fee: chain.fee },
        { chain, address: 'elsewhere', memo: undefined },
      ),
    );
    const row = accounts.rowOf(account, 0);
    const feeUnits = Number(chain.fee.round(8, 'down').units);
    const oracle = ledger.withdraw({ row, currency: index, units: units + feeUnits });
    expect(id === undefined).toBe(oracle === undefined);
    this.#seen.add(`withdrawal ${oracle === undefined ? 'unaffordable' : 'submitted'}`);
    if (id === undefined || oracle === undefined) return;
    this.#underWay.add(oracle);
    remember(this.#leaving, { id, account, oracle });
  }

  #endDeposit(): void {
    const { random, ledger } = this.#options;
    const deposit = this.#waiting[random.integer(NEWEST)];
    if (deposit === undefined) return;
    const { id, account, oracle } = deposit;
    const outcome = OUTCOMES[random.integer(OUTCOMES.length)]!;
    const ended = ledger.endDeposit(oracle, outcome);
    expect(this.#deposits.end(account, { id, outcome })).toBe(ended);
    this.#seen.add(`deposit ${ended ? `${outcome} early` : 'failed late'}`);
  }

  #stepWithdrawal(): void {
    const { random, ledger } = this.#options;
    const withdrawal = this.#leaving[random.integer(NEWEST)];
    if (withdrawal === undefined) return;
    const { id, account, oracle } = withdrawal;
    const status = STEPS[random.integer(STEPS.length)]!;
    const taken = ledger.stepWithdrawal(oracle, status);
    expect(this.#withdrawals.step(account, { id, status })).toBe(taken);
    this.#seen.add(`withdrawal ${status}${taken ? '' : ' late'}`);
  }

  #drawn() {
    const { random, accounts, count } = this.#options;
    const index = random.integer(accounts.currencies.names.length);
    const currency = this.#vault.catalogue.get(accounts.currencies.names[index]!)!;
    const units = 1 + random.integer(UNITS_MAX[index]!);
    return { account: random.integer(count), currency, units };
  }
}

export interface FundsTrafficOptions {
  readonly clock: VirtualClock;
  readonly accounts: Accounts;
  readonly random: Random;
  readonly ledger: WalletLedger;
  /** How many accounts there are. */
  readonly count: number;
}

interface Known<T> {
  readonly id: string;
  readonly account: number;
  readonly oracle: T;
}

function remember<T>(newest: T[], one: T): void {
  newest.unshift(one);
  if (newest.length > NEWEST) newest.pop();
}

function isLeaving(status: WithdrawalStatus): boolean {
  return status === 'submitted' || status === 'confirmed';
}

/** The id, undefined when the balance is not enough. */
function submitted(submit: () => string): string | undefined {
  try {
    return submit();
  } catch (refusal) {
    if (refusal instanceof ExchangeFailure && refusal.code === CODES.balance) return undefined;
    throw refusal;
  }
}
