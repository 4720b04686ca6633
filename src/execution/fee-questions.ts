import { exchangeOrderIdOf, newsOf, type OrderRecord, type OrderState } from '../domain/index.ts';
import { CODES, type ExchangeFailure } from '../exchange/index.ts';
import type { Courier, Delivery } from './courier.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from './ports.ts';

/** Lookups that fail come at growing distance, up to this many times the read lag. */
const SPACING_MAX = 5;
/** After so many of them an order that is not found is asked for no more. */
const FAILURES_MAX = 3;

/** An order whose fee is asked for. */
interface FeeQuestion {
  readonly clientOrderId: string;
  dueMs: number;
  asking: boolean;
  /** How often the exchange did not answer, or did not find the order. */
  failures: number;
}

export interface FeeQuestionsParts {
  readonly courier: Courier;
  /** Whether lookups of that order have to wait: its market will be read as a whole. */
  readonly isBlocked: (order: OrderState) => boolean;
}

/**
 * Asks for the fees of orders whose fills were booked with a guess that may be wrong: a position that
 * is a fee larger than what the account holds cannot be closed.
 *
 * An order is looked up a read lag after it filled, and at that distance again while it goes on
 * filling. Whatever else tells the fee before that answers the question: a push, a reading of the
 * market, a lookup for another reason. An exchange that shows all fills and tells no fee is asked no
 * more of them.
 */
export class FeeQuestions implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #parts: FeeQuestionsParts;
  readonly #questions = new Map<string, FeeQuestion>();

  constructor(options: ExecutorOptions, parts: FeeQuestionsParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Takes up that something of the order was filled; whether there is a question to it. */
  filled(clientOrderId: string): boolean {
    const { orders, config } = this.#options;
    const order = orders.get(clientOrderId);
    if (order === undefined || !orders.isFeeInDoubt(order)) return false;
    if (this.#questions.has(clientOrderId)) return false;
    const dueMs = this.#nowMs + config.readLagMs;
    this.#questions.set(clientOrderId, { clientOrderId, dueMs, asking: false, failures: 0 });
    return true;
  }

  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const question of this.#questions.values()) {
      if (this.#open(question) !== undefined) nextMs = Math.min(nextMs, question.dueMs);
    }
    return nextMs;
  }

  sendDue(turn: QuestionTurn): boolean {
    for (const question of this.#questions.values()) {
      const order = question.dueMs > this.#nowMs ? undefined : this.#open(question);
      if (order === undefined) continue;
      this.#send(question, { order, turn });
      return true;
    }
    return false;
  }

  get #nowMs(): number {
    return this.#options.clock.now();
  }

  /** The order of a question that can be asked; drops one that was answered otherwise. */
  #open(question: FeeQuestion): OrderState | undefined {
    const { orders } = this.#options;
    if (question.asking) return undefined;
    const order = orders.get(question.clientOrderId);
    if (order === undefined || !orders.isFeeInDoubt(order)) {
      this.#questions.delete(question.clientOrderId);
      return undefined;
    }
    // What became of an unknown order is found out anyway.
    return order.status === 'unknown' || this.#parts.isBlocked(order) ? undefined : order;
  }

  #send(
    question: FeeQuestion,
    { order, turn }: { readonly order: OrderState; readonly turn: QuestionTurn },
  ): void {
    const { market } = order;
    const exchangeOrderId = exchangeOrderIdOf(order);
    if (exchangeOrderId === undefined) return;
    question.asking = true;
    this.#parts.courier.send({
      operation: 'queryOrder',
      market,
      ...turn,
      call: () => this.#options.exchange.trading.order({ market, exchangeOrderId }),
      answered: (record) => this.#told(question, record),
      failed: (failure, delivery) => this.#failed(question, { failure, delivery }),
    });
  }

  #told(question: FeeQuestion, record: OrderRecord): void {
    const { orders } = this.#options;
    const { clientOrderId } = question;
    const known = orders.get(clientOrderId);
    // The answer may be older than what made the order unknown.
    if (known?.status === 'unknown') {
      this.#again(question);
      return;
    }
    this.#questions.delete(clientOrderId);
    if (known === undefined) return;
    const news = newsOf(record, { time: this.#nowMs, evidence: 'query' });
    const { filledAmount } = orders.apply(clientOrderId, news);
    if (record.filledAmount < filledAmount) this.filled(clientOrderId);
  }

  #failed(
    question: FeeQuestion,
    { failure, delivery }: { readonly failure: ExchangeFailure; readonly delivery: Delivery },
  ): void {
    if (delivery.late) return;
    question.failures++;
    const isNotFound = failure.code === CODES.orderNotFound;
    if (isNotFound && question.failures >= FAILURES_MAX) {
      this.#questions.delete(question.clientOrderId);
    } else this.#again(question);
  }

  #again(question: FeeQuestion): void {
    const spacing = Math.min(SPACING_MAX, Math.max(1, question.failures));
    question.asking = false;
    question.dueMs = this.#nowMs + spacing * this.#options.config.readLagMs;
  }
}
