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
 * Whether the exchange refused an order because its fee, paid beside what it gives, was not there. Where
 * more than a share of each trade is charged, risk has seen that it is.
 */
export function lacksFee({ code, side }: RejectedOrder, fees: BacktestConfig['fees']): boolean {
  if (code !== CODES.balance || fees.in === 'received' || chargesOf(fees)) return false;
  return side === (fees.in === 'base' ? 'sell' : 'buy');
}

/** Refusals of orders of one market. */
interface Refused {
  readonly firstMs: number;
  count: number;
}

/**
 * Counts the orders that the exchange refused for want of money. Risk has seen before that what they
 * give is there: their fee was not, which is paid beside it. Who sells all that was bought meets this
 * with `fees.in: base`.
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

  /** What the reader must know: whole sentences. */
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
        `fees.in: ${feesIn} takes beside what an order gives. More ${currency} in balances than ` +
        'strategies trade with is wanted, or fees.in: received.'
      );
    });
  }

  #count({ market, createdTime }: RejectedOrder): void {
    getOrInsert(this.#refused, market, () => ({ firstMs: createdTime, count: 0 })).count++;
  }
}
