import type { Observable } from 'rxjs';
import type { Booking, Market, OrderState, TradingEvent } from '../domain/index.ts';
import { type Bus, type Clock, Topic } from '../kernel/index.ts';
import type { FeeRates } from './fees.ts';
import { fillBetween, lateFeeBetween } from './fills.ts';

/** An order's market and the states that it went through, newest last. */
interface Change {
  readonly states: readonly OrderState[];
  readonly market: Market;
}

/**
 * Announces changed orders, their fills and fees: to the position ledger first, then on the bus.
 */
export class OrderAnnouncer {
  readonly #clock: Clock;
  readonly #bus: Bus<TradingEvent>;
  readonly #feeRates: FeeRates;
  readonly #bookings = new Topic<Booking>();
  /** Fills and late fees, ahead of the bus. */
  readonly bookings: Observable<Booking> = this.#bookings;

  constructor(options: {
    readonly clock: Clock;
    readonly bus: Bus<TradingEvent>;
    readonly feeRates: FeeRates;
  }) {
    this.#clock = options.clock;
    this.#bus = options.bus;
    this.#feeRates = options.feeRates;
  }

  /** Announces an order whose change books no fill and no fee. */
  publish(order: OrderState): void {
    const time = this.#clock.now();
    this.#bus.publish({ kind: 'order', time, market: order.market, order });
  }

  /** Announces an order's change. A fill or late fee follows the state that it came with. */
  changed(before: OrderState, change: Change): void {
    const { states } = change;
    const { filledAmount, fee } = states.at(-1)!;
    const isBooked = filledAmount !== before.filledAmount || fee !== before.fee;
    if (states.length === 1 && !isBooked) this.publish(states[0]!);
    else this.#publishAll(this.#eventsOf(before, change));
  }

  /**
   * Publishes all events as one: bookings must be on record with their order before anyone reacts.
   */
  #publishAll(events: readonly TradingEvent[]): void {
    for (const event of events) {
      if (event.kind === 'fill') this.#bookings.next(event.fill);
      else if (event.kind === 'lateFee') this.#bookings.next(event.lateFee);
    }
    this.#bus.publishAll(events);
  }

  #eventsOf(before: OrderState, { states, market }: Change): TradingEvent[] {
    const time = this.#clock.now();
    const { id } = market;
    const events: TradingEvent[] = [];
    let former = before;
    for (const order of states) {
      const step = { before: former, after: order, market, feeRates: this.#feeRates };
      const fill = fillBetween(step);
      const lateFee = lateFeeBetween(step, { fill, time });
      events.push({ kind: 'order', time, market: id, order });
      if (fill !== undefined) events.push({ kind: 'fill', time, market: id, fill });
      if (lateFee !== undefined) events.push({ kind: 'lateFee', time, market: id, lateFee });
      former = order;
    }
    return events;
  }
}
