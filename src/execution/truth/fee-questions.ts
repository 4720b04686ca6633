import { type FinalOrder, newsOf, type OrderRecord, type OrderState } from '../../domain/index.ts';
import { CODES, type ExchangeFailure } from '../../exchange/index.ts';
import { elapsedMs, Heap } from '../../kernel/index.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from '../ports.ts';
import type { Courier, Delivery } from '../sending/courier.ts';
import { LostFees } from './lost-fees.ts';

/** Lookups that fail come at growing distance, up to this many times the read lag. */
const SPACING_MAX = 5;
/** After so many of them, and `absentAfterMs`, an order that is not found is asked for no more. */
const FAILURES_MAX = 3;

/** An order whose fee is asked for. */
interface FeeQuestion {
  readonly clientOrderId: string;
  readonly market: string;
  /** The how-manieth. */
  readonly place: number;
  /** Since when, in elapsed time. */
  readonly sinceMs: number;
  dueMs: number;
  /** Whether it is not under way. */
  isWaiting: boolean;
  /** How often the exchange did not answer, or did not find the order. */
  failures: number;
  /** Whether the exchange has told a fee of nothing where one was expected. */
  isNothingTold: boolean;
}

/**
 * Asks for the fees of orders whose fills were booked with a guess that may be wrong: a position that
 * is a fee larger than what the account holds cannot be closed.
 *
 * An order is looked up a read lag after it filled, and at that distance again while it goes on
 * filling. Whatever else tells the fee before that answers the question: a push, a reading of the
 * market, a lookup for another reason. An exchange that shows all fills and tells no fee is asked no
 * more of them; one that tells a fee of nothing where the rates expect one is asked once more, as it
 * may show a fill before its fee. Orders that the ledger forgot before their turn are counted.
 */
export class FeeQuestions implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #courier: Courier;
  readonly #lost: LostFees;
  /** All that are open, by our ids of their orders. */
  readonly #questions = new Map<string, FeeQuestion>();
  /** Those of them that are not under way, and some that are open no more. */
  readonly #waiting = new Heap<FeeQuestion>(isEarlier);
  #count = 0;

  constructor(options: ExecutorOptions, courier: Courier) {
    this.#options = options;
    this.#courier = courier;
    this.#lost = new LostFees(options);
  }

  /** Takes over what an earlier run left to ask. */
  restore(guessedOrders: readonly FinalOrder[]): void {
    const { orders, markets } = this.#options;
    for (const order of guessedOrders) {
      if (!markets.has(order.market)) continue;
      orders.restore(order);
      this.filled(order.clientOrderId);
    }
  }

  /** Takes up that something of the order was filled; whether there is a question to it. */
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

  /** The question that is asked next; drops those before it that were answered otherwise. */
  #next(): { readonly question: FeeQuestion; readonly order: OrderState } | undefined {
    const { orders } = this.#options;
    for (let question = this.#waiting.peek(); question; question = this.#waiting.peek()) {
      const { clientOrderId, market, dueMs } = question;
      const order = orders.get(clientOrderId);
      const isOpen = this.#questions.get(clientOrderId) === question;
      const isInDoubt = isOpen && order !== undefined && orders.isFeeInDoubt(order);
      // What became of an unknown order is found out anyway.
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
    // The answer may be older than what made the order unknown.
    if (known?.status === 'unknown') {
      this.#again(question);
      return;
    }
    const isNothing = record.fee?.sign === 0 && known?.guessedFee?.sign === 1;
    const isDoubted = isNothing && !question.isNothingTold;
    if (!isDoubted) this.#questions.delete(clientOrderId);
    if (known === undefined) return;
    const told = isDoubted ? { ...record, fee: undefined } : record;
    // It was asked a read lag after its cancel, most often: one that lags a little longer than it may
    // would make a liar of the answer to that.
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

  /** `spacing`: after how many read lags. */
  #again(question: FeeQuestion, spacing = 1): void {
    // An answer may come when it was given up.
    if (question.isWaiting) return;
    question.isWaiting = true;
    question.dueMs = this.#nowMs() + spacing * this.#options.config.readLagMs;
    this.#waiting.push(question);
  }
}

function isEarlier(a: FeeQuestion, b: FeeQuestion): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.place < b.place);
}
