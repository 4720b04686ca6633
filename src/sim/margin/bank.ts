import type { CrossAccount, IsolatedMarket, MarginAsset, MarginWorth } from '../../domain/index.ts';
import { type Clock, Decimal, getOrInsert } from '../../kernel/index.ts';
import { type Accounts, LENDER_ROW, type Sum } from '../accounts.ts';
import { type MarginSettings, marginSchema } from './config.ts';
import { type Debt, Loans } from './loans.ts';
import { type Position, type PricedMarket, Valuation } from './valuation.ts';

/** Source: contract, acctType. */
const ISOLATED = 1;
const CROSS = 2;

/** What an account has switched on for all its margin orders. */
export interface MarginSwitches {
  /** Whether orders borrow what is missing. Source: contract, setExpressState. */
  borrow: boolean;
  /** Whether loans are repaid out of what orders bring in. Source: contract, setRepayState. */
  repay: boolean;
}

export interface MarginBankOptions {
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** The markets that prices come from. */
  readonly markets: () => Iterable<PricedMarket>;
  readonly settings?: Partial<MarginSettings> | undefined;
}

/** Lends money to margin wallets, which are rows of the balances, and takes it back. */
export type Lender = Pick<MarginBank, 'lend' | 'repay'>;

/**
 * Lends to margin wallets, and values them.
 *
 * Assumptions, as the contract does not say: an account has ONE isolated wallet for all markets and
 * one cross wallet, each a security only for its own loans. A loan is granted if the wallet then
 * holds at most `leverageMax` times its net worth, and everything that it owes has a price. Loans
 * are in the currency that an order lacks, of any amount; for interest see `Loans`. Money that an
 * order which repays gets back unspent repays loans, too. The lender's money has no end.
 *
 * Prices are the more careful of last price and best quote, see `Valuation`.
 *
 * What it does not model: liquidation. A wallet whose debts outgrow its worth keeps its positions
 * and its orders; it only can't borrow any more, and its risk rate shows that.
 */
export class MarginBank {
  readonly #accounts: Accounts;
  readonly #loans: Loans;
  readonly #valuation: Valuation;
  readonly #markets: () => Iterable<PricedMarket>;
  /** Debts may be at most this many times the net worth. */
  readonly #debtMax: Decimal;
  readonly #switches = new Map<number, MarginSwitches>();

  /** @throws {SimulationError} when the exchange does not have the unit of account. */
  constructor({ clock, accounts, markets, settings }: MarginBankOptions) {
    const { leverageMax, interestRatePerDay, unitOfAccount } = marginSchema.parse(settings ?? {});
    const { currencies } = accounts;
    this.#accounts = accounts;
    this.#markets = markets;
    this.#loans = new Loans({ clock, ratePerDay: interestRatePerDay });
    this.#debtMax = Decimal.of(leverageMax).minus(Decimal.of(1));
    const unit = unitOfAccount ?? (currencies.names.includes('usdt') ? 'usdt' : undefined);
    if (unit !== undefined) currencies.indexOf(unit);
    this.#valuation = new Valuation({ unit, markets });
  }

  /** The switches of an account, to read and to set. */
  switchesOf(account: number): MarginSwitches {
    return getOrInsert(this.#switches, account, () => ({ borrow: false, repay: false }));
  }

  /** Lends a wallet what it lacks of a sum; false, and nothing done, when it may not borrow. */
  lend(row: number, { currency, units }: Sum): boolean {
    const missing = units - this.#accounts.available(row, currency);
    const { principal, interest } = this.#loans.debt(row, currency);
    if (!Number.isSafeInteger(principal + interest + missing)) return false;
    if (!this.#accounts.hasRoom(this.#accounts.cell(row, currency), missing)) return false;
    const loan = this.#valueOf({ currency, units: missing }, 'owed');
    const { total, debt, isKnown } = this.#worthOf(row);
    if (loan === undefined || !isKnown) return false;
    const debtMax = total.minus(debt).times(this.#debtMax);
    if (debt.plus(loan).compare(debtMax) > 0) return false;
    this.#loans.borrow(row, { currency, units: missing });
    this.#accounts.transfer({ from: LENDER_ROW, to: row }, { currency, units: missing });
    return true;
  }

  /** Repays what a wallet owes in a currency from its available money, at most the sum. */
  repay(row: number, { currency, units }: Sum): void {
    const most = Math.min(units, this.#accounts.available(row, currency));
    const paid = this.#loans.repay(row, { currency, units: most });
    if (paid === 0) return;
    this.#accounts.transfer({ from: row, to: LENDER_ROW }, { currency, units: paid });
  }

  /** What a wallet owes in a currency, in whole units. */
  debtOf(row: number, currency: number): Debt {
    return this.#loans.debt(row, currency);
  }

  /** The cross wallet of an account, every currency of the exchange. */
  crossAccount(account: number): CrossAccount {
    const row = this.#accounts.rowOf(account, CROSS);
    const assets = this.#accounts.currencies.names.map((_, currency) => this.#asset(row, currency));
    return { assets, ...this.#marginWorth(row) };
  }

  /** The isolated wallet of an account as each market can use it, with the worth of it all. */
  isolatedAccount(account: number): readonly IsolatedMarket[] {
    const row = this.#accounts.rowOf(account, ISOLATED);
    const worth = this.#marginWorth(row);
    const asset = (name: string) => this.#asset(row, this.#accounts.currencies.indexOf(name));
    return Array.from(this.#markets(), ({ units: { market } }) => ({
      ...{ market: market.id, base: asset(market.base), quote: asset(market.quote) },
      ...worth,
    }));
  }

  #marginWorth(row: number): MarginWorth {
    const { total, debt } = this.#worthOf(row);
    const riskRate = debt.sign > 0 ? total.dividedBy(debt, 8, 'down').toNumber() : undefined;
    return { total, net: total.minus(debt), loan: debt, riskRate };
  }

  /** One currency of a wallet. A wallet with debts can't transfer anything: it secures them. */
  #asset(row: number, currency: number): MarginAsset {
    const { currencies } = this.#accounts;
    const name = currencies.names[currency]!;
    const { principal, interest } = this.#loans.debt(row, currency);
    const available = currencies.money(name, this.#accounts.available(row, currency));
    return {
      currency: name,
      available,
      frozen: currencies.money(name, this.#accounts.frozen(row, currency)),
      loan: currencies.money(name, principal),
      overdraft: currencies.money(name, interest),
      transferable: this.#owes(row) ? Decimal.ZERO : available,
    };
  }

  #owes(row: number): boolean {
    const { names } = this.#accounts.currencies;
    return names.some((_, currency) => this.#loans.debt(row, currency).principal > 0);
  }

  /**
   * The value of all that a wallet holds and of all that it owes; currencies without a price count
   * nothing. `isKnown`: whether all that it owes has a price.
   */
  #worthOf(row: number): { total: Decimal; debt: Decimal; isKnown: boolean } {
    let total = Decimal.ZERO;
    let debt = Decimal.ZERO;
    let isKnown = true;
    for (const currency of this.#accounts.currencies.names.keys()) {
      const held = this.#accounts.available(row, currency) + this.#accounts.frozen(row, currency);
      const { principal, interest } = this.#loans.debt(row, currency);
      total = total.plus(this.#valueOf({ currency, units: held }, 'held') ?? Decimal.ZERO);
      const owed = this.#valueOf({ currency, units: principal + interest }, 'owed');
      debt = debt.plus(owed ?? Decimal.ZERO);
      isKnown &&= owed !== undefined;
    }
    return { total, debt, isKnown };
  }

  #valueOf({ currency, units }: Sum, position: Position): Decimal | undefined {
    if (units === 0) return Decimal.ZERO;
    const { currencies } = this.#accounts;
    const name = currencies.names[currency]!;
    return this.#valuation.rateOf(name, position)?.times(currencies.money(name, units));
  }
}
