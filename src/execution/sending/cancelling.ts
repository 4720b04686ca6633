import { isFinal, type LiveOrder, type OrderNews, type OrderState } from '../../domain/index.ts';
import { type CancelAnswer, CODES, type ExchangeFailure } from '../../exchange/index.ts';
import { FewMap } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { Inquiries } from '../truth/inquiries.ts';
import { CancelProofs } from './cancel-proofs.ts';
import type { Courier } from './courier.ts';

/** Cancels orders and finds out what became of them. */
export class Canceller {
  readonly #options: ExecutorOptions;
  readonly #courier: Courier;
  readonly #inquiries: Inquiries;
  readonly proofs: CancelProofs;
  /** When an order may be cancelled again; infinite while a cancel is under way. */
  readonly #againAtMs = new FewMap<string, number>();
  /** When the round began: cancels that become due during it have their turn in the next. */
  #roundMs = Number.NEGATIVE_INFINITY;
  /** Since when cancels have waited for the rate budget, in this round and in the one before. */
  #waitingSinceMs = new Map<string, number>();
  #waitedSinceMs = new Map<string, number>();

  constructor(
    options: ExecutorOptions,
    parts: { readonly courier: Courier; readonly inquiries: Inquiries },
  ) {
    this.#options = options;
    this.#courier = parts.courier;
    this.#inquiries = parts.inquiries;
    this.proofs = new CancelProofs(options, parts.inquiries);
  }

  /** Whether the order's cancel may leave now; if not, `nextMs` or an answer tells when. */
  isReady({ clientOrderId }: LiveOrder): boolean {
    const atMs = this.#againAtMs.get(clientOrderId);
    return atMs === undefined || atMs <= this.#roundMs;
  }

  /** Whether a cancel of the order was sent and the order's end has not been heard of. */
  isUnderWay({ clientOrderId }: OrderState): boolean {
    return this.#againAtMs.has(clientOrderId);
  }

  /** When the next pausing order may be cancelled again. */
  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    if (this.#againAtMs.size === 0) return nextMs;
    for (const atMs of this.#againAtMs.values()) {
      if (atMs > this.#roundMs) nextMs = Math.min(nextMs, atMs);
    }
    return nextMs;
  }

  /** A new round begins: cancels that are no longer wanted in it no longer wait. */
  beginRound(nowMs: number): void {
    this.#roundMs = nowMs;
    if (this.#waitingSinceMs.size === 0 && this.#waitedSinceMs.size === 0) return;
    this.#waitedSinceMs = this.#waitingSinceMs;
    this.#waitingSinceMs = new Map();
  }

  /** Notes that the order's cancel must wait for the rate budget. */
  waits({ clientOrderId }: LiveOrder): void {
    const sinceMs = this.#waitedSinceMs.get(clientOrderId) ?? this.#roundMs;
    this.#waitingSinceMs.set(clientOrderId, sinceMs);
  }

  /** Sends the cancel of an order whose exchange id is known. */
  cancel(live: LiveOrder): void {
    const { gate, exchange, orders } = this.#options;
    const { market, clientOrderId, exchangeOrderId } = gate.cancel(live).value;
    if (exchangeOrderId === undefined) return;
    const waitingSinceMs = this.#waitedSinceMs.get(clientOrderId);
    this.#waitingSinceMs.delete(clientOrderId);
    this.#waitedSinceMs.delete(clientOrderId);
    this.#againAtMs.set(clientOrderId, Number.POSITIVE_INFINITY);
    orders.apply(clientOrderId, { kind: 'cancelling', time: this.#nowMs(), evidence: 'request' });
    this.#courier.send({
      operation: 'cancel',
      market,
      priority: 'cancel',
      waitingSinceMs,
      call: () => exchange.trading.cancel({ market, exchangeOrderId }),
      answered: (answer) => this.#cancelled({ clientOrderId, exchangeOrderId }, answer),
      failed: (failure) => this.#failed(clientOrderId, failure),
    });
  }

  /** Forgets an order that has ended. */
  forget(clientOrderId: string): void {
    this.#againAtMs.delete(clientOrderId);
    this.#waitingSinceMs.delete(clientOrderId);
    this.#waitedSinceMs.delete(clientOrderId);
  }

  /**
   * The answer to a cancel. Its totals may be older than a fill already heard of: then only a read
   * tells the end.
   */
  #cancelled(ids: { clientOrderId: string; exchangeOrderId: string }, answer?: CancelAnswer): void {
    const { orders, config } = this.#options;
    const { clientOrderId, exchangeOrderId } = ids;
    const before = orders.get(clientOrderId);
    if (before === undefined) return;
    if (answer === undefined || this.proofs.isWary(before.market)) {
      if (isFinal(before)) return;
      if (answer !== undefined) this.proofs.acknowledged(before);
      this.#againAtMs.set(clientOrderId, this.#nowMs() + 2 * config.readLagMs);
      this.#inquiries.ask(clientOrderId, this.#nowMs() + config.readLagMs);
      return;
    }
    const { price, amount, filledAmount, filledValue } = answer;
    this.#tell(clientOrderId, {
      kind: 'record',
      exchangeOrderId,
      // The id may be another order's, of the same batch or by a mixed-up answer.
      terms: { ...before, price, amount },
      closed: true,
      filledAmount,
      filledValue,
      time: this.#nowMs(),
      evidence: 'answer',
    });
    const after = orders.get(clientOrderId);
    // Totals of another order are not accepted: this one may still rest.
    const isOpen = after !== undefined && !isFinal(after);
    if (isOpen) this.#againAtMs.set(clientOrderId, this.#nowMs() + 2 * config.readLagMs);
    if (filledAmount < before.filledAmount || isOpen) {
      this.#inquiries.ask(clientOrderId, this.#nowMs() + config.readLagMs);
    } else if (after?.status === 'cancelled' && !isFinal(before)) this.proofs.acknowledged(after);
  }

  #failed(clientOrderId: string, { kind, code }: ExchangeFailure): void {
    const { config, orders } = this.#options;
    const order = orders.get(clientOrderId);
    if (order === undefined || isFinal(order)) return;
    const time = this.#nowMs();
    const againAtMs = time + config.readLagMs;
    this.#againAtMs.set(clientOrderId, againAtMs);
    if (code === CODES.orderNotFound) {
      this.#inquiries.ask(clientOrderId, time);
    } else if (kind === 'unknown') {
      this.#inquiries.ask(clientOrderId, againAtMs);
    } else {
      if (kind === 'limited') this.#againAtMs.delete(clientOrderId);
      this.#tell(clientOrderId, { kind: 'cancelRefused', time: this.#nowMs(), evidence: 'answer' });
    }
  }

  #tell(clientOrderId: string, news: OrderNews): void {
    const { orders } = this.#options;
    if (orders.get(clientOrderId) !== undefined) orders.apply(clientOrderId, news);
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }
}
