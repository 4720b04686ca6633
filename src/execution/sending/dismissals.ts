import type { LiveOrder, OrderTerms, Refusal } from '../../domain/index.ts';
import { counted, getOrInsert, ToldLately } from '../../kernel/index.ts';
import type { Dismissal } from '../../risk/index.ts';
import { isTagged } from '../desk/tags.ts';
import type { ExecutorOptions } from '../ports.ts';

/** By cause, the check that refuses such an order before it leaves. */
const CODES: { readonly [cause in Dismissal['cause']]: string } = {
  HALTED: 'tradingState',
  REDUCING: 'reducing',
  staleData: 'staleData',
  blackout: 'blackout',
  priceMin: 'priceBounds',
  priceMax: 'priceBounds',
};

type DismissalOptions = Pick<ExecutorOptions, 'clock' | 'bus' | 'gate' | 'logger'>;

/**
 * Tells of wished orders that risk cancels: the log once per market and cause, and the strategy for
 * each single order, as these do not come back.
 */
export class Dismissals {
  readonly #options: DismissalOptions;
  readonly #told = new ToldLately();

  constructor(options: DismissalOptions) {
    this.#options = options;
  }

  /** These orders must not stay from now on. */
  tell(orders: readonly LiveOrder[]): void {
    const { gate } = this.#options;
    const groups = new Map<string, { count: number; market: string; reason: string }>();
    for (const order of orders) {
      // It is being cancelled already.
      if (order.status === 'cancelling') continue;
      const { market } = order;
      const { cause, reason } = gate.whyUnwelcome(order);
      if (isTagged(order)) this.#refuse(order, { cause, reason });
      const group = getOrInsert(groups, `${market} ${cause}`, () => ({ count: 0, market, reason }));
      group.count++;
    }
    for (const [key, { count, market, reason }] of groups) {
      const what = counted(count, 'order');
      this.#log(key, { market, text: `cancelling ${what} of ${market}: ${reason}` });
    }
  }

  /**
   * An order of another strategy or market gives way to an exit. Single orders are refused; quotes
   * come back.
   */
  tellOfExit(order: LiveOrder): void {
    if (isTagged(order)) this.#publish(order, roomTaken(order));
  }

  #refuse(order: LiveOrder, { cause, reason }: Dismissal): void {
    this.#publish(order, refusalOf(order, { code: CODES[cause], reason }));
  }

  #publish({ market, strategy, tag }: LiveOrder, refusal: Refusal): void {
    const { bus, clock } = this.#options;
    bus.publish({ kind: 'refusal', time: clock.now(), market, strategy, tag, refusal });
  }

  #log(key: string, { market, text }: { readonly market: string; readonly text: string }): void {
    const { clock, logger } = this.#options;
    logger[this.#told.isRepeat(key, clock.now()) ? 'debug' : 'warn']({ market }, text);
  }
}

/**
 * The refusal of an opening order, at rest or about to leave, that takes the room an exit lacks.
 */
export function roomTaken(order: Terms): Refusal {
  const reason = 'an exit needs the room that it takes';
  return refusalOf(order, { code: 'position', reason });
}

type Terms = Pick<OrderTerms, 'side' | 'amount' | 'price'>;

function refusalOf(
  { side, amount, price }: Terms,
  { code, reason }: { readonly code: string; readonly reason: string },
): Refusal {
  const limit = `that it rests no more: ${reason}`;
  return { code, limit, observed: `${side} ${amount} at ${price}`, scope: 'order' };
}
