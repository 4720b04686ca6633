import type { Market, OrderState, TradingEvent } from '../../domain/index.ts';
import { isFinal, orderValue } from '../../domain/index.ts';
import { type Bus, Decimal } from '../../kernel/index.ts';
import type { RecordedFill, RunRecord } from '../../report/index.ts';
import type { PriceView } from '../../risk/index.ts';

/** What is kept of an order while it lives. */
interface Followed {
  order: OrderState;
  readonly referencePrice: number | undefined;
}

/** Keeps what becomes of orders, for the report. */
export class Recorder {
  readonly #orders = new Map<string, Followed>();
  readonly fills: RecordedFill[] = [];
  readonly #markets: ReadonlyMap<string, Market>;

  constructor(
    bus: Bus<TradingEvent>,
    { markets, prices }: { markets: ReadonlyMap<string, Market>; prices: PriceView },
  ) {
    this.#markets = markets;
    bus.on('order').subscribe(({ market, order }) => {
      const known = this.#orders.get(order.clientOrderId);
      if (known === undefined) {
        const referencePrice = prices.last(market);
        this.#orders.set(order.clientOrderId, { order, referencePrice });
        return;
      }
      known.order = order;
    });
    bus.on('fill').subscribe(({ fill }) => {
      const followed = this.#orders.get(fill.clientOrderId);
      const referencePrice = followed?.referencePrice;
      const liquidity = followed === undefined ? undefined : liquidityOf(followed, fill.price);
      this.fills.push({
        ...fill,
        ...(liquidity && { liquidity }),
        ...(referencePrice !== undefined && { referencePrice }),
      });
    });
  }

  /** The last state of every order, in the order of their creation. */
  get orders(): OrderState[] {
    return Array.from(this.#orders.values(), ({ order }) => order);
  }

  /** Orders that ended with a part unfilled. */
  get missed(): RunRecord['missed'] {
    let count = 0;
    let value = Decimal.ZERO;
    for (const { order } of this.#orders.values()) {
      if (!isFinal(order) || order.status === 'filled') continue;
      const market = this.#markets.get(order.market)!;
      count++;
      value = value.plus(orderValue(market, order).minus(order.filledValue));
    }
    return { count, value };
  }
}

/** An order takes when it may not rest, or trades at a better price than its own. */
function liquidityOf({ order }: Followed, price: number): 'maker' | 'taker' {
  if (order.type === 'ioc') return 'taker';
  if (order.type === 'postOnly') return 'maker';
  return price === order.price ? 'maker' : 'taker';
}
