import type { Market, OrderState, RejectedOrder, TradingEvent } from '../../domain/index.ts';
import { isFinal, orderValue } from '../../domain/index.ts';
import { type Bus, Decimal } from '../../kernel/index.ts';
import type { OrderColumns, RecordedFill, RunRecord } from '../../report/index.ts';
import type { PriceView } from '../../risk/index.ts';
import { OrderLog } from './order-log.ts';

/** Keeps what becomes of orders, for the report. */
export class Recorder {
  readonly fills: RecordedFill[] = [];
  /** Orders that the exchange refused, by its code. */
  readonly rejections = new Map<string, number>();
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #orders: OrderLog;
  /** Of the orders that change no more. */
  readonly #missed: MissedOrders;

  constructor(
    bus: Bus<TradingEvent>,
    { markets, prices }: { markets: ReadonlyMap<string, Market>; prices: PriceView },
  ) {
    this.#markets = markets;
    this.#missed = new MissedOrders(markets);
    this.#orders = new OrderLog((order) => this.#missed.add(order));
    bus.on('order').subscribe(({ market, order }) => {
      const known = this.#orders.get(order.clientOrderId);
      if (known === undefined) this.#orders.add({ order, referencePrice: prices.last(market) });
      else known.order = order;
      if (order.status === 'rejected') this.#countRejection(order);
    });
    bus.on('fill').subscribe(({ fill }) => {
      const followed = this.#orders.get(fill.clientOrderId);
      const referencePrice = followed?.referencePrice;
      this.fills.push({
        ...fill,
        ...(followed && { liquidity: liquidityOf(followed.order, fill.price) }),
        ...(referencePrice !== undefined && { referencePrice }),
      });
    });
  }

  #countRejection({ code }: RejectedOrder): void {
    const name = code === undefined ? 'exchange' : `exchange ${code}`;
    this.rejections.set(name, (this.rejections.get(name) ?? 0) + 1);
  }

  /** How many orders there were. */
  get orderCount(): number {
    return this.#orders.count;
  }

  /** The last state of every order, in the order of their creation. */
  orders(): OrderColumns {
    return this.#orders.columns();
  }

  /** Orders that ended with a part unfilled. */
  get missed(): RunRecord['missed'] {
    const missed = new MissedOrders(this.#markets, this.#missed);
    for (const order of this.#orders.unpacked()) missed.add(order);
    return { count: missed.count, value: missed.value };
  }
}

/** Counts the orders that ended with a part unfilled. */
class MissedOrders {
  readonly #markets: ReadonlyMap<string, Market>;
  count: number;
  value: Decimal;

  constructor(
    markets: ReadonlyMap<string, Market>,
    { count, value }: RunRecord['missed'] = { count: 0, value: Decimal.ZERO },
  ) {
    this.#markets = markets;
    this.count = count;
    this.value = value;
  }

  add(order: OrderState): void {
    if (!isFinal(order) || order.status === 'filled') return;
    const market = this.#markets.get(order.market)!;
    this.count++;
    this.value = this.value.plus(orderValue(market, order).minus(order.filledValue));
  }
}

/** An order takes when it may not rest, or trades at a better price than its own. */
function liquidityOf(order: OrderState, price: number): 'maker' | 'taker' {
  if (order.type === 'ioc') return 'taker';
  if (order.type === 'postOnly') return 'maker';
  return price === order.price ? 'maker' : 'taker';
}
