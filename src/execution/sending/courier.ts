import type { Observable, Observer } from 'rxjs';
import type { RequestOperation } from '../../domain/index.ts';
import { CODES, ExchangeFailure, toFailure } from '../../exchange/index.ts';
import { FewSet, messageOf, ToldLately, withoutAction } from '../../kernel/index.ts';
import type { ExecutorOptions } from '../ports.ts';
import type { ReadLag } from '../truth/read-lag.ts';
import type { Priority } from './rate-budget.ts';

/** Circumstances of an answer. */
export interface Delivery {
  /** When its request left, milliseconds since the epoch. */
  readonly sentMs: number;
  /** The answer is true as of this time or later, milliseconds since the epoch: see `ReadLag`. */
  readonly asOfMs: number;
  /** Whether it came after the request was given up and its outcome counted as unknown. */
  readonly late: boolean;
}

/** One request to the exchange. */
export interface Request<T> {
  readonly operation: RequestOperation;
  readonly market: string;
  readonly priority: Priority;
  /** Since when it waited for the rate budget; undefined: it did not. */
  readonly waitingSinceMs?: number | undefined;
  /** Whether its orders must be on disk before it leaves. */
  readonly durable?: boolean;
  /**
   * Whether its answer only changes an order, whose event on the bus gives the work. Default:
   * false.
   */
  readonly isHeard?: boolean;
  readonly call: () => Observable<T>;
  readonly answered: (value: T, delivery: Delivery) => void;
  readonly failed: (failure: ExchangeFailure, delivery: Delivery) => void;
}

export interface CourierOptions
  extends Pick<ExecutorOptions, 'clock' | 'bus' | 'budget' | 'journal' | 'logger'> {
  readonly readLag: ReadLag;
  readonly answerTimeoutMs: number;
  /** The key or the address is locked: requests still waiting would be refused too. */
  readonly onLocked: (failure: ExchangeFailure) => void;
  /** The key or the address is locked, or the journal can't be written: orders must stop. */
  readonly onHalt: (reason: string) => void;
  /**
   * Deals with an answer, then lets the executor work: there may be room, or something to do.
   * `isHeard`: see `Request`.
   */
  readonly settle: (deal: () => void, options?: { readonly isHeard?: boolean }) => void;
}

interface FlightOptions extends CourierOptions {
  /** The exchange called our pace too fast. */
  readonly onLimited: () => void;
}

interface Flight {
  readonly sentMs: number;
  readonly giveUp: () => void;
}

/**
 * Sends requests: does the budget's accounts, tells the bus, and ends every request exactly once.
 */
export class Courier {
  readonly #options: FlightOptions;
  readonly #flights = new FewSet<Flight>();
  readonly #told = new ToldLately();

  constructor(options: CourierOptions) {
    this.#options = { ...options, onLimited: () => this.#tellLimited() };
  }

  /** Sends the request now. The caller has checked that the budget has room. */
  send<T>(request: Request<T>): void {
    const { bus, clock, budget } = this.#options;
    const { operation, market, priority, waitingSinceMs } = request;
    const time = clock.now();
    const waitedMs = waitingSinceMs === undefined ? 0 : time - waitingSinceMs;
    const leftMs = budget.take(priority);
    bus.publish({ kind: 'request', time, market, operation, waitedMs });
    if (request.durable && !this.#commit(request)) return;
    new RequestFlight(request, this.#options, this.#flights).depart(leftMs);
  }

  /** Gives up requests that were not answered in time. */
  giveUpOverdue(nowMs: number): void {
    // Giving one up removes it from the set.
    while (this.nextMs <= nowMs) this.#flights.first!.giveUp();
  }

  /** When the next request is overdue; infinite when none is under way. */
  get nextMs(): number {
    const { first } = this.#flights;
    return first === undefined
      ? Number.POSITIVE_INFINITY
      : first.sentMs + this.#options.answerTimeoutMs;
  }

  /**
   * Warns that the exchange refused our pace. As the budget keeps the limit for this process,
   * somebody else must send the rest.
   */
  #tellLimited(): void {
    const { budget, clock, logger } = this.#options;
    if (this.#told.isRepeat('limited', clock.now())) return;
    const { lastSecond, requestsPerSecond } = budget.usage();
    logger.warn(
      { ours: lastSecond, allowed: requestsPerSecond },
      `the exchange calls our pace too fast, though no more than ${lastSecond} of the ` +
        `${requestsPerSecond} requests of a second are ours: somebody else may use this key, one ` +
        'of its own is wanted for each bot',
    );
  }

  #commit<T>(request: Request<T>): boolean {
    const { priority, failed } = request;
    const { journal, budget, clock, readLag, onHalt } = this.#options;
    try {
      journal.commitOrders();
      return true;
    } catch (thrown) {
      const text = `Cannot send an order: the journal is not on disk (${messageOf(thrown)})`;
      budget.unsent(priority);
      const failure = new ExchangeFailure('unsent', text, { cause: thrown });
      tellFailure(failure, { request, options: this.#options });
      failed(failure, { sentMs: clock.now(), asOfMs: readLag.asOfMs(), late: false });
      onHalt(text);
      return false;
    }
  }
}

/** One request under way. */
class RequestFlight<T> implements Flight, Observer<T> {
  readonly #request: Request<T>;
  readonly #options: FlightOptions;
  readonly #flights: FewSet<Flight>;
  readonly sentMs: number;
  readonly #asOfMs: number;
  /** When it left, in elapsed time, as the budget told. */
  #leftMs = 0;
  #ended = false;
  #late = false;

  constructor(request: Request<T>, options: FlightOptions, flights: FewSet<Flight>) {
    this.#request = request;
    this.#options = options;
    this.#flights = flights;
    this.sentMs = options.clock.now();
    this.#asOfMs = options.readLag.asOfMs();
  }

  depart(leftMs: number): void {
    this.#leftMs = leftMs;
    this.#flights.add(this);
    let answer: Observable<T>;
    try {
      answer = this.#request.call();
    } catch (thrown) {
      this.#fail(thrown);
      return;
    }
    answer.subscribe(this);
  }

  next(value: T): void {
    if (this.#ended) return;
    this.#end('answered');
    this.#options.budget.succeeded();
    this.#options.settle(() => this.#request.answered(value, this.#delivery()), this.#request);
  }

  error(thrown: unknown): void {
    this.#fail(thrown);
  }

  complete(): void {
    if (this.#ended) return;
    this.#fail(new ExchangeFailure('unknown', 'Cannot tell the outcome: no answer came'));
  }

  giveUp(): void {
    this.#fail(new ExchangeFailure('unknown', 'Cannot tell the outcome: no answer in time'));
    this.#late = true;
    this.#ended = false;
  }

  #fail(thrown: unknown): void {
    if (this.#ended) return;
    const failure = toFailure(thrown);
    // The outcome of a request given up is unknown already: this failure tells no more.
    if (this.#late && failure.kind === 'unknown') return;
    this.#end(fateOf(failure));
    this.#heed(failure);
    // For a late answer that was told when the request was given up.
    if (!this.#late) tellFailure(failure, { request: this.#request, options: this.#options });
    this.#options.settle(() => this.#request.failed(failure, this.#delivery()));
  }

  #heed(failure: ExchangeFailure): void {
    const { budget, onLimited, onLocked, onHalt } = this.#options;
    if (failure.code === CODES.locked) {
      budget.locked();
      onLocked(failure);
      onHalt(failure.message);
    } else if (failure.kind === 'limited') {
      budget.limited();
      onLimited();
    }
  }

  #delivery(): Delivery {
    return { sentMs: this.sentMs, asOfMs: this.#asOfMs, late: this.#late };
  }

  #end(fate: Fate): void {
    const { budget } = this.#options;
    this.#ended = true;
    this.#flights.delete(this);
    if (!this.#late) budget[fate](this.#request.priority, this.#leftMs);
    else if (fate === 'answered') budget.answeredLate(this.#leftMs);
  }
}

/** Tells the bus of a request that ended without a clear answer. A plain refusal is clear. */
function tellFailure(
  { kind: outcome, message }: ExchangeFailure,
  {
    request,
    options,
  }: { request: Pick<Request<unknown>, 'operation' | 'market'>; options: CourierOptions },
): void {
  if (outcome === 'rejected') return;
  const { operation, market } = request;
  const [time, reason] = [options.clock.now(), withoutAction(message)];
  options.bus.publish({ kind: 'requestFailure', time, market, operation, outcome, reason });
}

/** The fate of a finished request, for the rate budget. */
type Fate = 'answered' | 'lost' | 'unsent';

/** A request without the exchange's own answer may still be under way. */
function fateOf({ kind, code }: ExchangeFailure): Fate {
  if (kind === 'unsent') return 'unsent';
  return kind === 'unknown' && code === undefined ? 'lost' : 'answered';
}
