import { type FinalOrder, newsOf, type OrderRecord, type OrderState } from '../../domain/index.ts';
import { CODES, type ExchangeFailure } from '../../exchange/index.ts';
import { elapsedMs, Heap } from '../../kernel/index.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from '../ports.ts';
import type { Courier, Delivery } from '../sending/courier.ts';
import { LostFees } from './lost-fees.ts';

/** The distance between failing lookups grows up to this many read lags. */
const SPACING_MAX = 5;
/** Failures after which, and after `absentAfterMs`, an order that is not found is given up. */
const FAILURES_MAX = 3;

/** The question for one order's fee. */
interface FeeQuestion {
  readonly clientOrderId: string;
  readonly market: string;
  /** Its number, in the order of asking. */
  readonly place: number;
  /** When it was first asked, in elapsed time. */
  readonly sinceMs: number;
  dueMs: number;
  /** Whether it waits for its turn, rather than being under way. */
  isWaiting: boolean;
  /** Lookups without an answer, or that did not find the order. */
  failures: number;
  /** Whether the exchange has told a fee of zero where one was expected. */
  isNothingTold: boolean;
}

/**
 * Asks for the fees of orders booked with a guess that may be wrong: a position larger than the
 * account's holding by a fee cannot be closed.
 *
 * An order is looked up a read lag after its fill, and again after each further lag while it goes
 * on filling. Anything else that tells the fee first answers the question: a push, a read of the
 * market, another lookup. An order for which the exchange shows all fills and no fee is not asked
 * about again; if it tells a fee of zero where the rates expect one it is asked once more, as fills
 * may show before their fees. Orders that the ledger forgot before their turn are counted.
 */
export class FeeQuestions implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #courier: Courier;
  readonly #lost: LostFees;
  /** All open questions, by our order ids. */
  readonly #questions = new Map<string, FeeQuestion>();
  /** Questions that wait for their turn, and some that are no longer open. */
  readonly #waiting = new Heap<FeeQuestion>(isEarlier);
  #count = 0;

  constructor(options: ExecutorOptions, courier: Courier) {
    this.#options = options;
    this.#courier = courier;
    this.#lost = new LostFees(options);
  }

  /** Takes over the questions that an earlier run left. */
  restore(guessedOrders: readonly FinalOrder[]): void {
    const { orders, markets } = this.#options;
    for (const order of guessedOrders) {
      if (!markets.has(order.market)) continue;
      orders.restore(order);
      this.filled(order.clientOrderId);
    }
  }

  /** The order has filled. Returns whether that raises a question. */
  filled(clientOrderId: string): boolean {
    const { orders, clock, config } = this.#options;
    const order = orders.get(clientOrderId);
    if (order === undefined || !orders.isFeeInDoubt(order)) return false;
    if (this.#questions.has(clientOrderId)) return false;
    const question: FeeQuestion = {
      ...{ clientOrderId, market: order.market, place: this.#count++ },
      ...{ dueMs: this.#nowMs() + config.readLagMs, isWaiting: true },
      ...{ sinceMs: elapsedMs(clock), failures: 0, isNothingTold: false },
    };
    this.#questions.set(clientOrderId, question);
    this.#waiting.push(question);
    return true;
  }

  get nextMs(): number {
    return this.#next()?.question.dueMs ?? Number.POSITIVE_INFINITY;
  }

  sendDue(turn: QuestionTurn): boolean {
    const next = this.#next();
    if (next === undefined || next.question.dueMs > this.#nowMs()) return false;
    this.#pop();
    this.#send(next.question, { order: next.order, turn });
    return true;
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }

  /** The next question to ask. Drops questions before it that were answered otherwise. */
  #next(): { readonly question: FeeQuestion; readonly order: OrderState } | undefined {
    const { orders } = this.#options;
    for (let question = this.#waiting.peek(); question; question = this.#waiting.peek()) {
      const { clientOrderId, market, dueMs } = question;
      const order = orders.get(clientOrderId);
      const isOpen = this.#questions.get(clientOrderId) === question;
      const isInDoubt = isOpen && order !== undefined && orders.isFeeInDoubt(order);
      // The fate of an unknown order is found out anyway.
      if (isInDoubt && (dueMs > this.#nowMs() || order.status !== 'unknown'))
        return { question, order };
      this.#pop();
      if (isInDoubt) this.#again(question);
      else if (isOpen) this.#questions.delete(clientOrderId);
      if (isOpen && order === undefined) this.#lost.add(market);
    }
    return undefined;
  }

  #pop(): void {
    const question = this.#waiting.pop();
    if (question !== undefined) question.isWaiting = false;
  }

  #send(
    question: FeeQuestion,
    { order, turn }: { readonly order: OrderState; readonly turn: QuestionTurn },
  ): void {
    const { market } = order;
    const { exchangeOrderId } = order;
    if (exchangeOrderId === undefined) return;
    this.#courier.send({
      operation: 'queryOrder',
      market,
      ...turn,
      call: () => this.#options.exchange.trading.order({ market, exchangeOrderId }),
      answered: (record, { asOfMs }) => this.#told(question, { record, asOfMs }),
      failed: (failure, delivery) => this.#failed(question, { failure, delivery }),
    });
  }

  #told(
    question: FeeQuestion,
    { record, asOfMs }: { readonly record: OrderRecord; readonly asOfMs: number },
  ): void {
    const { orders, config } = this.#options;
    const { clientOrderId } = question;
    const known = orders.get(clientOrderId);
    // The answer may predate the event that made the order unknown.
    if (known?.status === 'unknown') {
      this.#again(question);
      return;
    }
    const isNothing = record.fee?.sign === 0 && known?.guessedFee?.sign === 1;
    const isDoubted = isNothing && !question.isNothingTold;
    if (!isDoubted) this.#questions.delete(clientOrderId);
    if (known === undefined) return;
    const told = isDoubted ? { ...record, fee: undefined } : record;
    // The lookup mostly comes just a read lag after a cancel: a read that lags a little longer
    // would discredit the answer to that cancel.
    const asOfTime = asOfMs - config.readLagMs;
    const news = newsOf(told, { time: this.#nowMs(), evidence: 'query', asOfTime });
    const { filledAmount } = orders.apply(clientOrderId, news);
    if (isDoubted) {
      question.isNothingTold = true;
      this.#again(question, SPACING_MAX);
    } else if (record.filledAmount < filledAmount) this.filled(clientOrderId);
  }

  #failed(
    question: FeeQuestion,
    { failure, delivery }: { readonly failure: ExchangeFailure; readonly delivery: Delivery },
  ): void {
    if (delivery.late) return;
    const { clock, config } = this.#options;
    question.failures++;
    const isNotFound = failure.code === CODES.orderNotFound;
    const askedMs = elapsedMs(clock) - question.sinceMs;
    if (isNotFound && question.failures >= FAILURES_MAX && askedMs >= config.absentAfterMs) {
      this.#questions.delete(question.clientOrderId);
    } else this.#again(question, Math.min(SPACING_MAX, question.failures));
  }

  /** Asks again after `spacing` read lags. */
  #again(question: FeeQuestion, spacing = 1): void {
    // An answer may come after the request was given up: then the question waits already.
    if (question.isWaiting) return;
    question.isWaiting = true;
    question.dueMs = this.#nowMs() + spacing * this.#options.config.readLagMs;
    this.#waiting.push(question);
  }
}

function isEarlier(a: FeeQuestion, b: FeeQuestion): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.place < b.place);
}
