import { isSameOrder, type LiveOrder, type OrderRecord } from '../../domain/index.ts';
import {
  CODES,
  type ExchangeFailure,
  type OrderReference,
  TIMED_CANCEL_MS,
} from '../../exchange/index.ts';
import { isBatched } from '../desk/tags.ts';
import type { ExecutorOptions, QuestionSource, QuestionTurn } from '../ports.ts';
import type { Courier, Delivery } from '../sending/courier.ts';
import { Search, searchMs } from './absence.ts';

interface LeftOrder {
  readonly order: LiveOrder;
  /** The id to look it up by: the exchange id that it was answered may be another order's. */
  reference: OrderReference;
  /** When the timed cancel armed by the run that left it has fired. */
  readonly firesMs: number;
  /** When reads show that too; infinite if the order may come to rest after it. */
  readonly untilMs: number;
  readonly search: Search;
  /** The next step, and when it is due. */
  next: 'look' | 'cancel';
  dueMs: number;
  /** Whether the exchange has shown it open: then the timed cancel has not taken it. */
  isSeen: boolean;
}

/**
 * Orders that an earlier run left a moment ago in markets that this run does not trade. They are in
 * no ledger here, and nobody can wish for them: each is looked up and cancelled until the exchange
 * tells its end, a search for it was in vain, or the timed cancel of its market must have taken it.
 */
export class LeftElsewhere implements QuestionSource {
  readonly #options: ExecutorOptions;
  readonly #courier: Courier;
  readonly #left = new Map<string, LeftOrder>();
  #hasBegun = false;
  #isAsking = false;

  constructor(options: ExecutorOptions, courier: Courier) {
    this.#options = options;
    this.#courier = courier;
  }

  /**
   * Takes up such an order. `lastMs`: when the run that left it was last alive, as far as is known.
   */
  take(order: LiveOrder, lastMs: number): void {
    const { clock, config, logger } = this.#options;
    const { clientOrderId, market, strategy } = order;
    const aliveMs = Math.min(lastMs, clock.now());
    const firesMs = aliveMs + TIMED_CANCEL_MS;
    const { exchangeOrderId } = order;
    const isKnown = exchangeOrderId !== undefined;
    const goneMs = isKnown ? firesMs + config.readLagMs : aliveMs + searchMs(order, config);
    // An id told by a person may be wrong.
    const isNear = clock.now() < goneMs && order.evidence !== 'person';
    const fate = isNear ? 'it is cancelled, and what it fills until then is not booked' : UNHEEDED;
    logger.error(
      { clientOrderId, market, strategy },
      `${termsOf(order)} may still rest: an earlier run left it, and this deployment ` +
        `does not trade that market, so ${fate}`,
    );
    if (!isNear) return;
    this.#left.set(clientOrderId, {
      ...{ order, firesMs, untilMs: isKnown ? goneMs : Number.POSITIVE_INFINITY },
      search: new Search(this.#options),
      reference: isKnown ? { market, exchangeOrderId } : ownId(order),
      ...{ next: 'look', dueMs: clock.now(), isSeen: false },
    });
  }

  /** Lets requests leave from now on. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** Those that may still rest, as far as is known. */
  get remaining(): readonly LiveOrder[] {
    return Array.from(this.#left.values(), ({ order }) => order);
  }

  /** When the last timed cancel fires that takes any of them; minus infinity: none does. */
  get lastFiringMs(): number {
    const lastMs = Math.max(...Array.from(this.#left.values(), ({ firesMs }) => firesMs));
    return lastMs > this.#options.clock.now() ? lastMs : LONG_AGO;
  }

  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    if (this.#isAsking || !this.#hasBegun) return nextMs;
    for (const { dueMs } of this.#left.values()) nextMs = Math.min(nextMs, dueMs);
    return nextMs;
  }

  sendDue(turn: QuestionTurn): boolean {
    if (this.nextMs > this.#options.clock.now()) return false;
    const nowMs = this.#options.clock.now();
    for (const left of [...this.#left.values()]) {
      if (left.dueMs > nowMs) continue;
      if (left.untilMs <= nowMs && !left.isSeen) this.#end(left, 'counts as gone');
      else {
        this.#ask(left, turn);
        return true;
      }
    }
    return false;
  }

  #ask(left: LeftOrder, turn: QuestionTurn): void {
    const { trading } = this.#options.exchange;
    const { reference, search } = left;
    const { market } = reference;
    this.#isAsking = true;
    const failed = (failure: ExchangeFailure, { late }: Delivery): void => {
      if (!late) this.#failed(left, failure);
    };
    if (left.next === 'cancel') {
      this.#courier.send({
        ...{ operation: 'cancel', market, ...turn, failed },
        call: () => trading.cancel(reference),
        answered: (_totals, { late }) => late || this.#goOn(left, 'look'),
      });
      return;
    }
    search.leaves();
    this.#courier.send({
      ...{ operation: 'queryOrder', market, ...turn, failed },
      call: () => trading.order(reference),
      answered: (record, { late }) => late || this.#told(left, record),
    });
  }

  #told(left: LeftOrder, record: OrderRecord): void {
    const { closed, filledAmount } = record;
    if (!isSameOrder(left.order, record)) {
      this.#missed(left);
      return;
    }
    left.isSeen = !closed;
    if (!closed) this.#goOn(left, 'cancel', 0);
    else if (filledAmount === left.order.filledAmount) this.#end(left, 'is over');
    else this.#end(left, `is over, ${filledAmount} of it filled: check what is held there`);
  }

  #failed(left: LeftOrder, { code }: ExchangeFailure): void {
    if (left.next === 'look' && code === CODES.orderNotFound) {
      this.#missed(left);
      return;
    }
    left.search.failed();
    this.#goOn(left, 'look', left.search.pauseMs(left.order));
  }

  /**
   * The lookup did not find it. As reads may lag, only several misses show its end. If it left with
   * an id of ours the next lookup uses that: the exchange id that it was answered may be wrong.
   */
  #missed(left: LeftOrder): void {
    const { order, search } = left;
    search.missed();
    if (search.proves(order)) {
      this.#end(left, 'is no longer there');
      return;
    }
    if (!isBatched(order)) left.reference = ownId(order);
    this.#goOn(left, 'look', search.pauseMs(order));
  }

  /**
   * Goes on with the next step after a pause, as reads lag and failures are not repeated at once.
   * Default: the read lag.
   */
  #goOn(left: LeftOrder, next: LeftOrder['next'], pauseMs = this.#options.config.readLagMs): void {
    this.#isAsking = false;
    left.next = next;
    left.dueMs = this.#options.clock.now() + pauseMs;
  }

  #end({ order }: LeftOrder, fate: string): void {
    const { clientOrderId, market, strategy } = order;
    this.#isAsking = false;
    this.#left.delete(clientOrderId);
    this.#options.logger.warn(
      { clientOrderId, market, strategy },
      `${termsOf(order)}, which an earlier run left, ${fate}`,
    );
  }
}

const LONG_AGO = Number.NEGATIVE_INFINITY;

const UNHEEDED = 'nobody looks after it';

function ownId({ market, clientOrderId }: LiveOrder): OrderReference {
  return { market, clientOrderId };
}

function termsOf({ side, amount, market, price, strategy }: LiveOrder): string {
  return `${side} ${amount} in ${market} at ${price} by ${strategy}`;
}
