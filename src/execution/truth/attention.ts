import { isFinal, isSameSize, type OrderRecord, type OrderState } from '../../domain/index.ts';
import type { Desks } from '../desk/desks.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Canceller } from '../sending/cancelling.ts';
import type { Pump } from '../sending/pump.ts';
import type { Inquiries } from './inquiries.ts';

export interface AttentionParts {
  readonly desks: Desks;
  readonly inquiries: Inquiries;
  readonly canceller: Canceller;
  readonly pump: Pump;
}

/** Handles the bus events of orders, and tells whether they give the executor work. */
export class Attention {
  readonly #options: ExecutorOptions;
  readonly #parts: AttentionParts;
  constructor(options: ExecutorOptions, parts: AttentionParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /**
   * An order changed. Returns whether that gives work: its own departure does not, nor does a state
   * that was worked on already.
   */
  heed(published: OrderState): boolean {
    const order = this.#options.orders.get(published.clientOrderId) ?? published;
    return this.note(order) && published.status !== 'pending';
  }

  /** Takes up the order's state. Returns whether that gives work. */
  note(order: OrderState): boolean {
    const { desks, inquiries, canceller, pump } = this.#parts;
    const { clientOrderId, market } = order;
    if (order.status === 'pending') return false;
    const own = desks.of(order.strategy, market);
    pump.watch(market);
    let hasWork = own.plannedRevision !== this.#options.orders.revision;
    if (hasWork) desks.wake(own);
    for (const desk of desks.in(market)) {
      if (!desk.reconsider()) continue;
      desks.wake(desk);
      hasWork = true;
    }
    if (this.#needsLook(order)) {
      const untilFinal = order.status !== 'unknown' && order.type === 'ioc';
      inquiries.ask(clientOrderId, this.#readMs(), untilFinal ? { until: 'final' } : {});
      hasWork = true;
    }
    if (!isFinal(order)) return canceller.proofs.lives(order) || hasWork;
    inquiries.end(clientOrderId, 'final');
    canceller.forget(clientOrderId);
    return hasWork;
  }

  /**
   * Asks for a read after a push that contradicts what is known of an order. Returns whether it
   * did.
   */
  doubt({ exchangeOrderId, filledAmount, amount, closed }: OrderRecord): boolean {
    if (!closed) return false;
    const order = this.#options.orders.byExchangeOrderId(exchangeOrderId);
    if (order === undefined) return false;
    this.#parts.canceller.proofs.proven(order);
    if (filledAmount >= order.filledAmount && isSameSize(amount, order.amount)) return false;
    this.#parts.inquiries.ask(order.clientOrderId, this.#readMs());
    return true;
  }

  /** Whether the order must be looked up: nobody else tells its end, or a mere push told it. */
  #needsLook(order: OrderState): boolean {
    const { status, type, evidence } = order;
    if (status === 'unknown') return true;
    if (type === 'ioc') return !isFinal(order);
    return (
      status === 'cancelled' && evidence === 'push' && !this.#parts.canceller.isUnderWay(order)
    );
  }

  /** The earliest time at which a read shows the present state. */
  #readMs(): number {
    return this.#options.clock.now() + this.#options.config.readLagMs;
  }
}
