import {
  type Fill,
  isFinal,
  type OrderState,
  type Side,
  type TradingEvent,
} from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';

/** An order with all that it traded. */
export interface TradedOrder {
  readonly market: string;
  readonly strategy: string;
  readonly side: Side;
  readonly clientOrderId: string;
  /** When it was made, milliseconds since the epoch. */
  readonly createdTime: number;
  /** The price it asked for. */
  readonly price: number;
  /** Base currency traded, and what it moved in the quote currency. */
  amount: Decimal;
  value: Decimal;
  /** Fees by currency. */
  readonly fees: Map<string, Decimal>;
  /** From its making to the exchange's word on it, milliseconds; undefined before that. */
  answeredMs: number | undefined;
  /** From its making to its first fill, milliseconds. */
  filledMs: number | undefined;
}

/** What a comparison keeps of a run: its orders, and counts. */
export class RunDigest {
  readonly orders = new Map<string, TradedOrder>();
  /** How often wishes and orders were refused, by the code of who refused. */
  readonly refusals = new Map<string, number>();
  /** Milliseconds that requests waited for the rate budget, in all. */
  waitedMs = 0;
  requests = 0;
  fills = 0;

  take(event: TradingEvent): void {
    if (event.kind === 'order') this.#takeOrder(event.order);
    else if (event.kind === 'fill') this.#takeFill(event.fill);
    else if (event.kind === 'refusal') this.#refuse(event.refusal.code);
    else if (event.kind === 'request') {
      this.requests++;
      this.waitedMs += event.waitedMs;
    }
  }

  #takeOrder(order: OrderState): void {
    const { clientOrderId, market, strategy, side, createdTime, price } = order;
    const known = this.orders.get(clientOrderId);
    if (order.status === 'rejected') this.#refuse(`exchange ${order.code ?? 'without a code'}`);
    if (known !== undefined) {
      const isWord = order.status === 'open' || isFinal(order);
      if (isWord) known.answeredMs ??= order.changedTime - createdTime;
      return;
    }
    this.orders.set(clientOrderId, {
      ...{ market, strategy, side, clientOrderId, createdTime, price },
      ...{ amount: Decimal.ZERO, value: Decimal.ZERO, fees: new Map() },
      ...{ answeredMs: undefined, filledMs: undefined },
    });
  }

  /** A fill of an order that an earlier run made counts for an order of its own. */
  #takeFill(fill: Fill): void {
    this.fills++;
    const order = this.orders.get(fill.clientOrderId) ?? this.#orderOf(fill);
    order.amount = order.amount.plus(Decimal.of(fill.amount));
    order.value = order.value.plus(fill.value);
    const { feeCurrency, fee } = fill;
    order.fees.set(feeCurrency, (order.fees.get(feeCurrency) ?? Decimal.ZERO).plus(fee));
    order.filledMs ??= fill.time - order.createdTime;
  }

  #orderOf({ market, strategy, side, clientOrderId, time, price }: Fill): TradedOrder {
    const order: TradedOrder = {
      ...{ market, strategy, side, clientOrderId, createdTime: time, price },
      ...{ amount: Decimal.ZERO, value: Decimal.ZERO, fees: new Map<string, Decimal>() },
      ...{ answeredMs: undefined, filledMs: undefined },
    };
    this.orders.set(clientOrderId, order);
    return order;
  }

  #refuse(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }
}

/** The value in the middle of some numbers; undefined of none. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
