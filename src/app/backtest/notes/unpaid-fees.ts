import type { Market, RejectedOrder, TradingEvent } from '../../../domain/index.ts';
import { CODES } from '../../../exchange/index.ts';
import { type Bus, getOrInsert } from '../../../kernel/index.ts';
import type { BacktestConfig } from '../config.ts';
import { chargesOf } from '../fees.ts';
import { momentText } from '../moment.ts';

export interface UnpaidFeesOptions {
  readonly bus: Bus<TradingEvent>;
  readonly markets: ReadonlyMap<string, Market>;
  readonly fees: BacktestConfig['fees'];
}

/**
 * Whether the exchange refused an order for lack of money for its fee, which is paid on top of what
 * the order gives. Where charges go beyond a rate, risk has checked that the fee is there.
 */
export function lacksFee({ code, side }: RejectedOrder, fees: BacktestConfig['fees']): boolean {
  if (code !== CODES.balance || fees.in === 'received' || chargesOf(fees)) return false;
  return side === (fees.in === 'base' ? 'sell' : 'buy');
}

/** The refused orders of one market. */
interface Refused {
  readonly firstMs: number;
  count: number;
}

/**
 * Counts the orders that the exchange refused for lack of money for the fee. Risk has checked that
 * what an order gives is there, but not the fee on top. With `fees.in: base`, selling all that was
 * bought meets this.
 */
export class UnpaidFees {
  readonly #options: UnpaidFeesOptions;
  readonly #refused = new Map<string, Refused>();

  constructor(options: UnpaidFeesOptions) {
    this.#options = options;
    const { bus, fees } = options;
    bus.on('order').subscribe(({ order }) => {
      if (order.status === 'rejected' && lacksFee(order, fees)) this.#count(order);
    });
  }

  /** A sentence for each market. */
  notes(): string[] {
    const { markets, fees } = this.#options;
    const { in: feesIn } = fees;
    return Array.from(this.#refused, ([id, { count, firstMs }]) => {
      const { base, quote } = markets.get(id)!;
      const [orders, currency] = feesIn === 'base' ? ['sell', base] : ['buy', quote];
      const some = count === 1 ? `A ${orders} was refused` : `${count} ${orders}s were refused`;
      const when = `${count === 1 ? '' : 'the first '}at ${momentText(firstMs)} UTC`;
      return (
        `${some} in ${id}, ${when}: there was no ${currency} to pay the fee, which ` +
        `fees.in: ${feesIn} takes on top of what the order gives. Put more ${currency} into balances ` +
        'than strategies trade with, or set fees.in: received.'
      );
    });
  }

  #count({ market, createdTime }: RejectedOrder): void {
    getOrInsert(this.#refused, market, () => ({ firstMs: createdTime, count: 0 })).count++;
  }
}
