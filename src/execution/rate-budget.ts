import type { RateLimits } from '../exchange/index.ts';
import { type Clock, MINUTE_MS, SECOND_MS, SlidingWindow } from '../kernel/index.ts';
import type { BudgetConfig } from './config.ts';

/** What a request is for, the most valuable first. */
export const PRIORITIES = ['heartbeat', 'cancel', 'reduce', 'open', 'question'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How much of the rate limits is in use. */
export interface BudgetUsage {
  /** Requests that the exchange may count in the present second and minute. */
  readonly lastSecond: number;
  readonly lastMinute: number;
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /** Sent and not answered. */
  readonly unanswered: number;
}

export interface RateBudgetOptions {
  /** Must not run backwards. Windows go by its `elapsedMs`: a step of the date frees no place. */
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly config: BudgetConfig;
}

/** Longest time that a request of an earlier run may still have been under way. */
const REQUEST_LIFE_MS = 15_000;

/** The requests that may count in one window of the exchange. */
class Window {
  readonly limit: number;
  readonly lengthMs: number;
  readonly #answered: SlidingWindow;

  constructor({ limit, lengthMs }: { limit: number; lengthMs: number }) {
    this.limit = limit;
    this.lengthMs = lengthMs;
    this.#answered = new SlidingWindow(limit, lengthMs);
  }

  answered(timeMs: number): void {
    this.#answered.add(timeMs);
  }

  count(nowMs: number): number {
    return this.#answered.count(nowMs);
  }

  times(nowMs: number): readonly number[] {
    return this.#answered.times(nowMs);
  }

  /** When fewer than `limit` are in use; infinite when only an answer can make room. */
  roomAtMs(nowMs: number, { limit, unanswered }: { limit: number; unanswered: number }): number {
    const excess = unanswered + this.count(nowMs) - limit;
    if (excess < 0) return nowMs;
    const freeing = this.times(nowMs)[excess];
    return freeing === undefined ? Number.POSITIVE_INFINITY : freeing + this.lengthMs;
  }
}

/**
 * Keeps the rate limits of one key as the exchange counts them, whatever the network does.
 *
 * A request holds its place from the moment it leaves until a full window after its answer. The
 * exchange counted it somewhere in between, so its own window can never hold more than the limit:
 * of any requests that it counts within one window, the last one sent found all others in place.
 * The price is throughput: limit x window / (window + answer time).
 *
 * Heartbeats and cancels may use everything. Orders leave a reserve for them and a share for
 * questions; questions have that share. Nor do orders and questions leave where they would queue
 * in the transport: there, nothing supersedes them any more.
 */
export class RateBudget {
  readonly #clock: Clock;
  readonly #elapsedMs: () => number;
  readonly #unhurriedMax: number;
  readonly #second: Window;
  readonly #minute: Window;
  readonly #questionSecond: Window;
  readonly #questionMinute: Window;
  readonly #config: BudgetConfig;
  #unanswered = 0;
  #unansweredQuestions = 0;
  #unansweredUnhurried = 0;
  /** In elapsed time, as are the windows. */
  #silentUntilMs = Number.NEGATIVE_INFINITY;
  #locked = false;

  constructor({ clock, limits, config }: RateBudgetOptions) {
    const { marginMs, questionsShare } = config;
    const window = (limit: number, windowMs: number) =>
      new Window({ limit, lengthMs: windowMs + marginMs });
    const ofShare = (limit: number) => Math.max(1, Math.floor(limit * questionsShare));
    this.#clock = clock;
    this.#elapsedMs = clock.elapsedMs ?? (() => clock.now());
    this.#unhurriedMax = limits.unhurriedInFlightMax ?? Number.POSITIVE_INFINITY;
    this.#config = config;
    this.#second = window(limits.requestsPerSecond, SECOND_MS);
    this.#minute = window(limits.requestsPerMinute, MINUTE_MS);
    this.#questionSecond = window(ofShare(limits.requestsPerSecond), SECOND_MS);
    this.#questionMinute = window(ofShare(limits.requestsPerMinute), MINUTE_MS);
  }

  /** Whether a request of that priority may leave now. */
  hasRoom(priority: Priority): boolean {
    return this.#waitMs(priority) <= 0;
  }

  /** The earliest time at which one may leave; infinite while only an answer can make room. */
  roomAtMs(priority: Priority): number {
    return this.#clock.now() + this.#waitMs(priority);
  }

  /** A request leaves now. Call `answered` or `unsent` for it, once, in any case. */
  take(priority: Priority): void {
    this.#unanswered++;
    if (!isUrgent(priority)) this.#unansweredUnhurried++;
    if (priority === 'question') this.#unansweredQuestions++;
  }

  /** Its answer or its failure is here: it can't be counted later than now. */
  answered(priority: Priority): void {
    const nowMs = this.#elapsedMs();
    this.unsent(priority);
    this.#second.answered(nowMs);
    this.#minute.answered(nowMs);
    if (priority !== 'question') return;
    this.#questionSecond.answered(nowMs);
    this.#questionMinute.answered(nowMs);
  }

  /** It never left: its place is free. */
  unsent(priority: Priority): void {
    this.#unanswered--;
    if (!isUrgent(priority)) this.#unansweredUnhurried--;
    if (priority === 'question') this.#unansweredQuestions--;
  }

  /** The exchange called us too fast: nothing leaves for a while. */
  limited(): void {
    this.#silence(this.#config.limitedBackOffMs);
  }

  /** Key or address are locked: after a long silence single requests find out whether it is over. */
  locked(): void {
    this.#locked = true;
    this.#silence(this.#config.lockedBackOffMs);
  }

  /** The exchange did as asked: a lock is over. */
  succeeded(): void {
    this.#locked = false;
  }

  /** Takes over when requests of earlier runs left, oldest first, milliseconds since the epoch. */
  restore(times: readonly number[]): void {
    const nowMs = this.#elapsedMs();
    const aheadMs = this.#clock.now() - nowMs;
    for (const sentMs of times) {
      const answeredMs = Math.min(nowMs, sentMs - aheadMs + REQUEST_LIFE_MS);
      if (answeredMs > nowMs - this.#second.lengthMs) this.#second.answered(answeredMs);
      if (answeredMs > nowMs - this.#minute.lengthMs) this.#minute.answered(answeredMs);
    }
  }

  usage(): BudgetUsage {
    const nowMs = this.#elapsedMs();
    return {
      lastSecond: this.#unanswered + this.#second.count(nowMs),
      lastMinute: this.#unanswered + this.#minute.count(nowMs),
      requestsPerSecond: this.#second.limit,
      requestsPerMinute: this.#minute.limit,
      unanswered: this.#unanswered,
    };
  }

  #waitMs(priority: Priority): number {
    const nowMs = this.#elapsedMs();
    if (!isUrgent(priority) && this.#unansweredUnhurried >= this.#unhurriedMax) return NEVER;
    if (this.#locked && this.#unanswered > 0) return NEVER;
    let atMs = Math.max(nowMs, this.#silentUntilMs);
    for (const window of [this.#second, this.#minute]) {
      const limit = this.#limitOf(priority, window);
      atMs = Math.max(atMs, window.roomAtMs(nowMs, { limit, unanswered: this.#unanswered }));
    }
    if (priority !== 'question') return atMs - nowMs;
    for (const window of [this.#questionSecond, this.#questionMinute]) {
      const { limit } = window;
      const unanswered = this.#unansweredQuestions;
      atMs = Math.max(atMs, window.roomAtMs(nowMs, { limit, unanswered }));
    }
    return atMs - nowMs;
  }

  #silence(durationMs: number): void {
    this.#silentUntilMs = Math.max(this.#silentUntilMs, this.#elapsedMs() + durationMs);
  }

  #limitOf(priority: Priority, { limit }: Window): number {
    if (isUrgent(priority)) return limit;
    const { reserveForCancels, questionsShare } = this.#config;
    const kept = reserveForCancels + (priority === 'question' ? 0 : questionsShare);
    return Math.max(1, Math.floor(limit * (1 - kept)));
  }
}

const NEVER = Number.POSITIVE_INFINITY;

/** Whether it goes before all else, by sockets of its own. */
function isUrgent(priority: Priority): boolean {
  return priority === 'heartbeat' || priority === 'cancel';
}
