import type { CrossAccount, IsolatedMarket, MarginAsset, MarginWorth } from '../../domain/index.ts';
import { type Clock, Decimal, getOrInsert } from '../../kernel/index.ts';
import { type Accounts, LENDER_ROW, type Sum } from '../accounts.ts';
import { type MarginSettings, marginSchema } from './config.ts';
import { type Debt, Loans } from './loans.ts';
import { type Position, type PricedMarket, Valuation } from './valuation.ts';

/** Source: contract, acctType. */
const ISOLATED = 1;
const CROSS = 2;

/** What an account has set for all its margin orders. */
export interface MarginSwitches {
  /** Orders borrow by themselves what is missing. Source: contract, setExpressState. */
  borrow: boolean;
  /** What orders bring in repays loans by itself. Source: contract, setRepayState. */
  repay: boolean;
}

export interface MarginBankOptions {
  readonly clock: Clock;
  readonly accounts: Accounts;
  /** Where prices come from. */
  readonly markets: () => Iterable<PricedMarket>;
  readonly settings?: Partial<MarginSettings> | undefined;
}

/** Who lends money to margin wallets, rows of the balances, and takes it back. */
export type Lender = Pick<MarginBank, 'lend' | 'repay'>;

/**
 * Lends to margin wallets, and values them.
 *
 * Assumptions, as the contract does not say: an account has ONE isolated wallet for all markets and
 * one cross wallet, each a security for its own loans alone. A loan is granted while the wallet
 * holds at most `leverageMax` times what it is worth without its debts, and all that it owes has a
 * price. Loans are in the currency that an order misses, of any amount; interest see `Loans`. What an
 * order that repays gets back unspent repays as well. The lender's money has no end.
 *
 * Prices are the more careful of last and best quote, see `Valuation`.
 *
 * What it does not model: liquidation. A wallet whose debts outgrow its worth keeps its positions
 * and its orders; it can merely borrow no more, and its risk rate tells.
 */
export class MarginBank {
  readonly #accounts: Accounts;
  readonly #loans: Loans;
  readonly #valuation: Valuation;
  readonly #markets: () => Iterable<PricedMarket>;
  /** Debts may be this many times the net worth. */
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

  /** Lends a wallet what it misses of a sum; false, and nothing done, when it may not. */
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

  /** Repays what a wallet owes of a currency out of its available money, at most that sum. */
  repay(row: number, { currency, units }: Sum): void {
    const most = Math.min(units, this.#accounts.available(row, currency));
    const paid = this.#loans.repay(row, { currency, units: most });
    if (paid === 0) return;
    this.#accounts.transfer({ from: row, to: LENDER_ROW }, { currency, units: paid });
  }

  /** What a wallet owes of a currency, in whole units. */
  debtOf(row: number, currency: number): Debt {
    return this.#loans.debt(row, currency);
  }

  /** The cross wallet of an account, every currency of the exchange. */
  crossAccount(account: number): CrossAccount {
    const row = this.#accounts.rowOf(account, CROSS);
    const assets = this.#accounts.currencies.names.map((_, currency) => this.#asset(row, currency));
    return { assets, ...this.#marginWorth(row) };
  }

  /** What each market can use of the one isolated wallet of an account, worth that of all of it. */
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

  /** Nothing that secures a loan can be moved out: a wallet that owes transfers nothing. */
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
   * All that a wallet holds and all that it owes, valued; what has no price counts nothing.
   * `isKnown`: all that it owes has one.
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
