import type { Fill, Market, RejectedOrder, TradingEvent } from '../../../domain/index.ts';
import { isSameSize } from '../../../domain/index.ts';
import type { Bus } from '../../../kernel/index.ts';
import type { RecordedFill, RunRecord } from '../../../report/index.ts';
import type { RecordedPrices } from '../feeds/prices.ts';
import type { Markouts } from '../meters/markouts.ts';
import type { Rates } from '../worth/rates.ts';
import { FillLog } from './fill-log.ts';
import { MissedOrders } from './missed-orders.ts';
import type { OrderColumns } from './order-columns.ts';
import { type FollowedOrder, OrderLog } from './order-log.ts';
import type { ShownNames } from './shown-names.ts';
import type { Spools } from './spools.ts';
import { tradedPrice } from './traded-price.ts';

export interface RecorderOptions {
  readonly markets: ReadonlyMap<string, Market>;
  readonly prices: RecordedPrices;
  readonly rates: Rates;
  readonly spools: Spools;
  readonly names: ShownNames;
  /** How much each order traded on arrival, by the exchange's id; entries of ended orders go. */
  readonly taken: Map<string, number>;
  /** Told of every fill. */
  readonly onFill: Markouts['add'];
}

type Liquidity = RecordedFill['liquidity'];

/** Records orders and fills for the report. */
export class Recorder {
  readonly fills: FillLog;
  /** Orders that the exchange refused, by its code. */
  readonly rejections = new Map<string, number>();
  readonly #markets: ReadonlyMap<string, Market>;
  readonly #orders: OrderLog;
  /** The sums over orders that change no more. */
  readonly #missed: MissedOrders;
  readonly #taken: Map<string, number>;
  /** The price of each order's last trade, by the exchange's id. */
  readonly #lastPrices = new Map<string, number>();

  constructor(
    bus: Bus<TradingEvent>,
    { markets, prices, rates, spools, names, taken, onFill }: RecorderOptions,
  ) {
    this.#markets = markets;
    this.#taken = taken;
    this.#missed = new MissedOrders(markets);
    this.fills = new FillLog(spools.fills);
    this.#orders = new OrderLog({
      ...{ spool: spools.orders, names },
      onOver: (followed) => {
        const id = followed.order.exchangeOrderId ?? '';
        this.#missed.add(followed);
        this.#taken.delete(id);
        this.#lastPrices.delete(id);
      },
    });
    bus.on('orderPush').subscribe(({ order }) => {
      if (order.lastTrade) this.#lastPrices.set(order.exchangeOrderId, order.lastTrade.price);
    });
    bus.on('order').subscribe(({ market, order }) => {
      const known = this.#orders.get(order.clientOrderId);
      if (known !== undefined) known.order = order;
      else this.#orders.add({ order, referencePrice: prices.last(market), rate: rates.of(market) });
      if (order.status === 'rejected') this.#countRejection(order);
    });
    bus.on('fill').subscribe(({ fill }) => {
      const cell = prices.cell(fill.market);
      const followed = this.#orders.get(fill.clientOrderId);
      const liquidity = followed && this.#noteFill(followed, fill);
      onFill(fill, { timeMs: fill.time, liquidity });
      this.fills.add({
        ...fill,
        strategy: names.get(fill.strategy) ?? fill.strategy,
        price: this.#priceOf(fill),
        liquidity,
        completes: followed && followed.order.status === 'filled',
        referencePrice: followed?.referencePrice,
        rate: rates.of(fill.market),
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

  /**
   * Whether a fill rested or took, which is noted in its order too. An order takes before it rests.
   * Undefined where one fill covers both.
   */
  #noteFill(followed: FollowedOrder, { exchangeOrderId, amount, feeCurrency }: Fill): Liquidity {
    const { filledAmount } = followed.order;
    const taken = this.#taken.get(exchangeOrderId) ?? 0;
    const before = filledAmount - amount;
    followed.feeCurrency = feeCurrency;
    followed.liquidity = filledAmount <= taken ? 'taker' : taken > 0 ? 'both' : 'maker';
    if (followed.liquidity !== 'both') return followed.liquidity;
    return before > taken || isSameSize(before, taken) ? 'maker' : undefined;
  }

  #countRejection({ code }: RejectedOrder): void {
    const name = code === undefined ? 'exchange' : `exchange ${code}`;
    this.rejections.set(name, (this.rejections.get(name) ?? 0) + 1);
  }

  /** How many orders there were so far. */
  get orderCount(): number {
    return this.#orders.count;
  }

  /** The last state of every order, in order of creation, block by block. */
  orders(): Iterable<OrderColumns> {
    return this.#orders.columns();
  }

  /** Orders that ended with a part unfilled. */
  get missed(): RunRecord['missed'] {
    const missed = new MissedOrders(this.#markets, this.#missed);
    for (const followed of this.#orders.atHand()) missed.add(followed);
    return { count: missed.count, value: missed.value };
  }
}
