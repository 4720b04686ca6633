import { type Booking, isFinal, type Market, type OrderState } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { isInDoubt } from './live-order.ts';
import type { DeskOptions } from './options.ts';
import type { Slot } from './slot.ts';

type LastOrderOptions = Pick<DeskOptions, 'orders' | 'config' | 'partsFollow'>;

interface Departure {
  readonly clientOrderId: string;
  /** The target towards which it left. */
  readonly position: number;
}

/** The order that left last towards a target. The next one leaves a pause after its end. */
export class LastOrder {
  readonly #departure: Departure;
  readonly #options: LastOrderOptions;
  #baseFee = Decimal.ZERO;
  #isPaced = true;

  constructor(departure: Departure, options: LastOrderOptions) {
    this.#departure = departure;
    this.#options = options;
  }

  /** The fee taken of it so far, in the base currency. A late fee corrects it. */
  get baseFee(): Decimal {
    return this.#baseFee;
  }

  isTowards(position: number): boolean {
    return this.#departure.position === position;
  }

  /** Takes up the fee of a booking of this order. Returns whether it is one. */
  book({ clientOrderId, fee, feeCurrency }: Booking, { base }: Market): boolean {
    if (clientOrderId !== this.#departure.clientOrderId) return false;
    if (feeCurrency === base) this.#baseFee = this.#baseFee.plus(fee);
    return true;
  }

  /** Whether the next order pauses after it. */
  get isPaced(): boolean {
    if (!this.#isPaced) return false;
    this.#isPaced = this.#options.partsFollow !== true || this.#order()?.status !== 'filled';
    return this.#isPaced;
  }

  /** Lets the next order leave without a pause, if this one ended before now. */
  endPause(nowMs: number): void {
    if (endedMs(this.#order()) < nowMs) this.#isPaced = false;
  }

  /** Makes the next order's slot pause after it. */
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

/** When an order ended, or got lost; infinite if neither yet. A forgotten order ended long ago. */
function endedMs(order: OrderState | undefined): number {
  if (order === undefined) return 0;
  return isFinal(order) || isInDoubt(order) ? order.changedTime : Number.POSITIVE_INFINITY;
}
