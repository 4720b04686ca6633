import type { Observable } from 'rxjs';
import type { OrderRecord } from '../domain/index.ts';
import {
  BATCH_ORDERS_MAX,
  type BatchAnswer,
  type CancelAnswer,
  CODES,
  ExchangeFailure,
  ORDERS_PAGE_SIZE,
  type OrderReference,
  type OrdersQuery,
  type Permissions,
  type PlaceBatchRequest,
  type PlaceRequest,
  type TradingPort,
} from '../exchange/index.ts';
import type { AccountOrder } from './account-order.ts';
import { checkedPage } from './pages.ts';
import { invalidArguments, notPermitted, orderNotFound, rejection } from './refusals.ts';
import type { SimulatedMarket } from './simulated-market.ts';
import { TimedCancels } from './timed-cancels.ts';
import { marketOn, type TradingFloor } from './trading-floor.ts';

interface TradingDeskParts {
  readonly account: number;
  readonly permissions: Permissions;
  /** Whether the account's switches make margin orders borrow and repay. Default: true. */
  readonly heedsSwitches?: boolean;
  /** Default: its own. */
  readonly timedCancels?: TimedCancels;
}

/** The orders of one account. */
export class TradingDesk implements TradingPort {
  readonly timedCancels: TimedCancels;
  readonly #floor: TradingFloor;
  readonly #account: number;
  readonly #permissions: Permissions;
  readonly #heedsSwitches: boolean;

  constructor(floor: TradingFloor, parts: TradingDeskParts) {
    this.#floor = floor;
    this.#account = parts.account;
    this.#permissions = parts.permissions;
    this.#heedsSwitches = parts.heedsSwitches ?? true;
    const fire = (id: string) => {
      const orders = this.cancelAll(floor.markets.get(id)!);
      floor.publisher.publish();
      floor.timedCancelFired(this.#account, { market: id, orders });
    };
    this.timedCancels = parts.timedCancels ?? new TimedCancels({ clock: floor.clock, fire });
  }

  /** The same desk for a key that may not use margin: its orders ignore the account's switches. */
  withoutSwitches(): TradingPort {
    return new TradingDesk(this.#floor, {
      account: this.#account,
      permissions: this.#permissions,
      heedsSwitches: false,
      timedCancels: this.timedCancels,
    });
  }

  place(request: PlaceRequest): Observable<{ readonly exchangeOrderId: string }> {
    return this.#call(request.market, (market) => {
      return { exchangeOrderId: this.#place(market, request) };
    });
  }

  /**
   * Places orders until the first refusal and answers with those that were taken; fails when there
   * are none. The contract does not say what becomes of the rest: here they are not tried.
   */
  placeBatch(request: PlaceBatchRequest): Observable<BatchAnswer> {
    return this.#call(request.market, (market) => {
      checkBatch(request);
      const { orders, ...shared } = request;
      const exchangeOrderIds: string[] = [];
      for (const order of orders) {
        try {
          exchangeOrderIds.push(this.#place(market, { ...shared, ...order, type: 'limit' }));
        } catch (refusal) {
          if (exchangeOrderIds.length === 0 || !(refusal instanceof ExchangeFailure)) throw refusal;
          const place = `${exchangeOrderIds.length + 1} of ${orders.length}`;
          const remark = `The batch ended at order ${place}: ${refusal.message}`;
          return { exchangeOrderIds, remark };
        }
      }
      return { exchangeOrderIds };
    });
  }

  cancel(reference: OrderReference): Observable<CancelAnswer | undefined> {
    return this.#call(reference.market, (market) => {
      const order = this.#find(market, reference);
      if (!market.engine.cancel(order.slot)) {
        throw rejection(
          CODES.orderNotFound,
          `Cannot cancel the order ${order.exchangeOrderId}: it is closed`,
        );
      }
      const { amount, price, filledAmount, filledValue } = order.record(market.engine.units);
      return { amount, price, filledAmount, filledValue };
    });
  }

  cancelAllAfter(id: string): Observable<void> {
    return this.#call(id, () => this.timedCancels.arm(id));
  }

  order(reference: OrderReference): Observable<OrderRecord> {
    return this.#call(reference.market, (market) => {
      const order = this.#find(market, reference);
      if (this.#isYoung(order)) throw orderNotFound(order.exchangeOrderId);
      return order.record(market.engine.units);
    });
  }

  orders({ market: id, side, page }: OrdersQuery): Observable<readonly OrderRecord[]> {
    return this.#call(id, (market) => {
      const count = ORDERS_PAGE_SIZE;
      checkedPage({ page, pageSize: count }, { least: count, most: count });
      const orders = market.engine.orders.newest(this.#account, {
        side,
        skip: (page - 1) * count,
        count,
        takenUntil: this.#floor.clock.now() - this.#floor.readLagMs,
      });
      return orders.map((order) => order.record(market.engine.units));
    });
  }

  #call<T>(id: string, work: (market: SimulatedMarket) => T): Observable<T> {
    const floor = this.#floor;
    return floor.calls.call(() => {
      if (!this.#permissions.orders) throw notPermitted('trade');
      const market = marketOn(floor, id);
      floor.publisher.marketChanged(market);
      return work(market);
    });
  }

  /** The exchange's id of the order. */
  #place({ model, engine }: SimulatedMarket, request: PlaceRequest): string {
    model?.arriving(request);
    const slot = engine.place(this.#account, this.#placementOf(request));
    return engine.orders.view(slot).exchangeOrderId;
  }

  /** The request; an order on margin also borrows and repays if the account's switches say so. */
  #placementOf(request: PlaceRequest): PlaceRequest {
    if ((request.accountType ?? 0) === 0) return request;
    if (!this.#permissions.margin) throw notPermitted('trade on margin');
    if (!this.#heedsSwitches) return request;
    const switches = this.#floor.margin.switchesOf(this.#account);
    const borrow = request.borrow === true || switches.borrow;
    const repay = request.repay === true || switches.repay;
    return { ...request, borrow, repay };
  }

  /** Cancels all open orders of the account in a market. Returns how many there were. */
  cancelAll(market: SimulatedMarket): number {
    this.#floor.publisher.marketChanged(market);
    const open = market.engine.orders.open(this.#account);
    for (const order of open) market.engine.cancel(order.slot);
    return open.length;
  }

  /** @throws {ExchangeFailure} `rejected` with 3001 when the account has no such order there. */
  #find(market: SimulatedMarket, reference: OrderReference): AccountOrder {
    const { orders } = market.engine;
    if ('clientOrderId' in reference) {
      const order = orders.byClientOrderId(this.#account, reference.clientOrderId);
      if (order !== undefined) return order;
      throw orderNotFound(reference.clientOrderId);
    }
    const { exchangeOrderId } = reference;
    const ordinal = this.#floor.ids.ordinal(exchangeOrderId);
    const order = orders.byOrdinal(this.#account, ordinal);
    if (order?.exchangeOrderId === exchangeOrderId) return order;
    throw orderNotFound(exchangeOrderId);
  }

  #isYoung(order: AccountOrder): boolean {
    return this.#floor.clock.now() - order.time < this.#floor.readLagMs;
  }
}

function checkBatch({ orders }: PlaceBatchRequest): void {
  if (orders.length >= 1 && orders.length <= BATCH_ORDERS_MAX) return;
  throw invalidArguments(
    `Cannot place a batch: it has ${orders.length} orders, 1 to ${BATCH_ORDERS_MAX} are wanted`,
  );
}
