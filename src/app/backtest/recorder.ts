import type { Fill, Market, OrderState, RejectedOrder, TradingEvent } from '../../domain/index.ts';
import { exchangeOrderIdOf, isFinal, orderValue } from '../../domain/index.ts';
import { type Bus, Decimal } from '../../kernel/index.ts';
import type { OrderColumns, RunRecord } from '../../report/index.ts';
import { FillLog } from './fill-log.ts';
import { type FollowedOrder, OrderLog } from './order-log.ts';
import type { RecordedPrices } from './prices.ts';
import type { ShownNames } from './shown-names.ts';
import type { Spools } from './spools.ts';
import { tradedPrice } from './traded-price.ts';

export interface RecorderOptions {
  readonly markets: ReadonlyMap<string, Market>;
  readonly prices: RecordedPrices;
  readonly spools: Spools;
  readonly names: ShownNames;
}

/** Keeps what becomes of orders, for the report. */
export class Recorder {
  readonly fills: FillLog;
  /** Orders that the exchange refused, by its code. */
  readonly rejections = new Map<string, number>();
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #orders: OrderLog;
  /** Of the orders that change no more. */
  readonly #missed: MissedOrders;
  /** How much plain limit orders traded as they arrived, by the exchange's ids. */
  readonly #taken = new Map<string, number>();
  /** The prices of the last trades of orders, by the exchange's ids. */
  readonly #lastPrices = new Map<string, number>();

  constructor(bus: Bus<TradingEvent>, { markets, prices, spools, names }: RecorderOptions) {
    this.#markets = markets;
    this.#missed = new MissedOrders(markets);
    this.fills = new FillLog(spools.fills);
    this.#orders = new OrderLog({
      ...{ spool: spools.orders, names },
      onOver: (order) => {
        const id = exchangeOrderIdOf(order) ?? '';
        this.#missed.add(order);
        this.#taken.delete(id);
        this.#lastPrices.delete(id);
      },
    });
    bus.on('orderPush').subscribe(({ order }) => {
      if (order.lastTrade) this.#lastPrices.set(order.exchangeOrderId, order.lastTrade.price);
      if (order.type !== 'limit' || order.lastTrade?.time !== order.exchangeTime) return;
      this.#taken.set(order.exchangeOrderId, order.filledAmount);
    });
    bus.on('order').subscribe(({ market, order }) => {
      const known = this.#orders.get(order.clientOrderId);
      if (known === undefined) this.#orders.add({ order, referencePrice: prices.last(market) });
      else known.order = order;
      if (order.status === 'rejected') this.#countRejection(order);
    });
    bus.on('fill').subscribe(({ fill }) => {
      const cell = prices.cell(fill.market);
      const followed = this.#orders.get(fill.clientOrderId);
      this.fills.add(fill, {
        strategy: names.get(fill.strategy) ?? fill.strategy,
        price: this.#priceOf(fill),
        liquidity: followed && this.#noteFill(followed, fill),
        completes: followed && followed.order.status === 'filled',
        referencePrice: followed?.referencePrice,
        passed: cell.passed,
      });
      cell.fill(fill.time);
    });
    bus.on('lateFee').subscribe(({ lateFee }) => this.fills.addFee(lateFee));
  }

  #priceOf(fill: Fill): number {
    const lastPrice = this.#lastPrices.get(fill.exchangeOrderId);
    return tradedPrice(fill, { market: this.#markets.get(fill.market)!, lastPrice });
  }

  /** Whether a fill's order rested or took, and takes note of that there. */
  #noteFill(followed: FollowedOrder, { feeCurrency }: Fill): 'maker' | 'taker' {
    const liquidity = this.#liquidityOf(followed.order);
    followed.feeCurrency = feeCurrency;
    followed.liquidity = (followed.liquidity ?? liquidity) === liquidity ? liquidity : 'both';
    return liquidity;
  }

  /**
   * A plain limit order took what the exchange says that it traded at the moment in which it arrived,
   * and was met in the book for all else.
   */
  #liquidityOf(order: OrderState): 'maker' | 'taker' {
    if (order.type === 'ioc') return 'taker';
    if (order.type === 'postOnly') return 'maker';
    const taken = this.#taken.get(exchangeOrderIdOf(order) ?? '') ?? 0;
    return order.filledAmount <= taken ? 'taker' : 'maker';
  }

  #countRejection({ code }: RejectedOrder): void {
    const name = code === undefined ? 'exchange' : `exchange ${code}`;
    this.rejections.set(name, (this.rejections.get(name) ?? 0) + 1);
  }

  /** How many orders there were. */
  get orderCount(): number {
    return this.#orders.count;
  }

  /** The last state of every order, in the order of their creation, some at a time. */
  orders(): Iterable<OrderColumns> {
    return this.#orders.columns();
  }

  /** Orders that ended with a part unfilled. */
  get missed(): RunRecord['missed'] {
    const missed = new MissedOrders(this.#markets, this.#missed);
    for (const order of this.#orders.atHand()) missed.add(order);
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
