import { type Booking, isFinal, type Market, type OrderState } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { isInDoubt } from './live-order.ts';
import type { DeskOptions } from './options.ts';
import type { Slot } from './slot.ts';

type LastOrderOptions = Pick<DeskOptions, 'orders' | 'config' | 'partsFollow'>;

interface Departure {
  readonly clientOrderId: string;
  /** The target that it left towards. */
  readonly position: number;
}

/** The order that left last towards a target. The next one leaves a pause after it has ended. */
export class LastOrder {
  readonly #departure: Departure;
  readonly #options: LastOrderOptions;
  #baseFee = Decimal.ZERO;
  #isPaced = true;

  constructor(departure: Departure, options: LastOrderOptions) {
    this.#departure = departure;
    this.#options = options;
  }

  /** What was taken of it as fee so far, in the base currency; a late fee sets it right. */
  get baseFee(): Decimal {
    return this.#baseFee;
  }

  isTowards(position: number): boolean {
    return this.#departure.position === position;
  }

  /** Takes up the fee where the booking is of this order; whether it is. */
  book({ clientOrderId, fee, feeCurrency }: Booking, { base }: Market): boolean {
    if (clientOrderId !== this.#departure.clientOrderId) return false;
    if (feeCurrency === base) this.#baseFee = this.#baseFee.plus(fee);
    return true;
  }

  /** Whether the next order pauses behind it. */
  get isPaced(): boolean {
    if (!this.#isPaced) return false;
    this.#isPaced = this.#options.partsFollow !== true || this.#order()?.status !== 'filled';
    return this.#isPaced;
  }

  /** The next order does not pause behind it, where it has ended before now. */
  endPause(nowMs: number): void {
    if (endedMs(this.#order()) < nowMs) this.#isPaced = false;
  }

  /** Has the slot of the next order pause behind it. */
  holdBack(slot: Slot): void {
    if (!this.isPaced) return;
    const sinceMs = endedMs(this.#order());
    const { targetRetryMs } = this.#options.config;
    if (sinceMs + targetRetryMs > slot.notBeforeMs) slot.pause(sinceMs, targetRetryMs);
  }

  #order(): OrderState | undefined {
    return this.#options.orders.get(this.#departure.clientOrderId);
  }
}

/**
 * When an order ended, or got lost; infinite while neither has come. One that is forgotten ended long
 * ago.
 */
function endedMs(order: OrderState | undefined): number {
  if (order === undefined) return 0;
  return isFinal(order) || isInDoubt(order) ? order.changedTime : Number.POSITIVE_INFINITY;
}
