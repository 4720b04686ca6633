import type { Bill } from '../../domain/index.ts';
import type { BillsQuery } from '../../exchange/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { AccountOrder } from '../account-order.ts';
import type { Accounts, Sum } from '../accounts.ts';
import type { MarketUnits } from '../market-units.ts';
import type { OrderIds } from '../order-ids.ts';
import type { OrderFill } from '../settlement.ts';
import { BillRing, YOUNG_MS } from './bill-ring.ts';

/** The ways in which a spot wallet can change. */
const BILL_TYPES = [
  'opening balance',
  'buy',
  'sell',
  'trading fee',
  'deposit',
  'withdrawal',
  'withdrawal fee',
  'withdrawal returned',
  'transfer in',
  'transfer out',
] as const;
export type BillType = (typeof BILL_TYPES)[number];

const TYPE_NUMBERS = new Map(BILL_TYPES.map((type, number) => [type, number]));

/** One change of a spot wallet. */
export interface BillEntry extends Sum {
  readonly type: BillType;
  readonly remark: string;
}

/**
 * The bills of all spot wallets, each with the balance after it.
 *
 * Frozen money counts as held, except that of a withdrawal, which is billed when submitted. So the
 * newest balance is what the wallet holds, free and frozen, less the withdrawals under way.
 *
 * Every bill of the last 48 hours is kept up to 1,048,576 an account, and the newest 15,361 however
 * old they are.
 */
export class Bills {
  readonly #clock: Clock;
  readonly #accounts: Accounts;
  readonly #ids: OrderIds;
  readonly #rings: BillRing[] = [];
  /** What each account holds according to its bills, by number of the currency. */
  readonly #held: Float64Array[] = [];
  #ordinal = 0;

  constructor(options: { clock: Clock; accounts: Accounts; ids: OrderIds; count: number }) {
    this.#clock = options.clock;
    this.#accounts = options.accounts;
    this.#ids = options.ids;
    const { length } = options.accounts.currencies.names;
    for (let account = 0; account < options.count; account++) {
      this.#rings.push(new BillRing());
      this.#held.push(new Float64Array(length));
    }
  }

  /** Bills a change of a spot wallet; a change of 0 makes no bill. */
  record(account: number, { currency, units: change, type, remark }: BillEntry): void {
    if (change === 0) return;
    const balance = this.#held[account]![currency]! + change;
    this.#held[account]![currency] = balance;
    this.#rings[account]!.push({
      ordinal: this.#ordinal++,
      currency,
      change,
      balance,
      time: this.#clock.now(),
      type: TYPE_NUMBERS.get(type)!,
      remark,
    });
  }

  /** Bills a fill of an order if the order uses the spot wallet. */
  recordFill(order: AccountOrder, { fill, units }: { fill: OrderFill; units: MarketUnits }): void {
    const { account, side } = order;
    if (order.accountType !== 0) return;
    const { base, quote, baseFactor, market, buyFee, sellFee } = units;
    const sign = side === 'buy' ? 1 : -1;
    const value = fill.value * sign;
    const amount = fill.amount * baseFactor * sign;
    const currency = side === 'buy' ? buyFee : sellFee;
    const remark = market.id;
    this.record(account, { currency: quote, units: -value, type: side, remark });
    this.record(account, { currency: base, units: amount, type: side, remark });
    this.record(account, { currency, units: -fill.fee, type: 'trading fee', remark });
  }

  /** A page of bills, newest first. The query must be checked already. */
  page(account: number, query: BillsQuery & { page: number; pageSize: number }): Bill[] {
    const { currencies } = this.#accounts;
    const currency = query.currency === undefined ? undefined : currencies.indexOf(query.currency);
    const { from, until } = this.#span(query);
    const bills: Bill[] = [];
    let skipped = (query.page - 1) * query.pageSize;
    for (const row of this.#rings[account]!.rows()) {
      if (bills.length === query.pageSize) break;
      if (row.time < from || row.time > until) continue;
      if (currency !== undefined && row.currency !== currency) continue;
      if (skipped-- > 0) continue;
      const name = currencies.names[row.currency]!;
      bills.push({
        id: this.#ids.text(row.ordinal, row.time),
        currency: name,
        change: currencies.money(name, row.change),
        balance: currencies.money(name, row.balance),
        time: row.time,
        type: BILL_TYPES[row.type]!,
        remark: row.remark,
      });
    }
    return bills;
  }

  /** The time that a query asks for, both ends included. */
  #span(query: BillsQuery): { from: number; until: number } {
    const { startTime = Number.NEGATIVE_INFINITY, endTime = Number.POSITIVE_INFINITY } = query;
    const youngest = this.#clock.now() - YOUNG_MS;
    if (query.older !== true) return { from: Math.max(startTime, youngest), until: endTime };
    return { from: startTime, until: Math.min(endTime, youngest - 1) };
  }
}
