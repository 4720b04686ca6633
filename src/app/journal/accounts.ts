import type { Position } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { flatPosition, foldEntry } from '../../ledger/index.ts';
import type { OpenJournal } from './books.ts';
import type { JournalFill } from './fills.ts';

/** What a fill added, in the quote currency. Exact. */
export interface Earned {
  readonly currency: string;
  /** Realized by average cost, net of all fees of the fill. */
  readonly profit: Decimal;
  readonly fees: Decimal;
}

/** What each strategy of an account holds in each market, by the ledger's own accounting. */
export class Accounts {
  readonly #marketOf: OpenJournal['marketOf'];
  readonly #positions = new Map<string, Position>();

  constructor({ marketOf }: Pick<OpenJournal, 'marketOf'>) {
    this.#marketOf = marketOf;
  }

  position({ market, strategy }: Pick<JournalFill, 'market' | 'strategy'>): Position {
    return this.#positions.get(`${market} ${strategy}`) ?? flatPosition(market);
  }

  add(fill: JournalFill): Earned {
    const market = this.#marketOf(fill.market);
    const before = this.position(fill);
    const after = foldEntry(before, { entry: fill.adjustment ?? fill, market });
    this.#positions.set(`${fill.market} ${fill.strategy}`, after);
    const fees = after.fees.minus(before.fees);
    const profit = after.realizedProfit.minus(before.realizedProfit).minus(fees);
    return { currency: market.quote, profit, fees };
  }
}

/** Sums by currency. */
export type Sums = Map<string, { profit: Decimal; fees: Decimal }>;

export function addTo(sums: Sums, { currency, profit, fees }: Earned): void {
  const sum = sums.get(currency) ?? { profit: Decimal.ZERO, fees: Decimal.ZERO };
  sums.set(currency, { profit: sum.profit.plus(profit), fees: sum.fees.plus(fees) });
}
