import type { RateLimits } from '../../exchange/index.ts';
import { type Clock, elapsedMs, MINUTE_MS, SECOND_MS, SlidingWindow } from '../../kernel/index.ts';
import type { BudgetConfig } from '../config.ts';
import { LOST_MAX_MS, LostRequests } from './lost-requests.ts';

/** The purposes of requests, the most valuable first. */
export const PRIORITIES = ['heartbeat', 'cancel', 'reduce', 'open', 'question'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How much of the rate limits is in use. */
export interface BudgetUsage {
  /** Requests that the exchange may count in the present second, and in the present minute. */
  readonly lastSecond: number;
  readonly lastMinute: number;
  readonly requestsPerSecond: number;
  readonly requestsPerMinute: number;
  /** Requests sent, and neither answered nor given up. */
  readonly unanswered: number;
}

export interface RateBudgetOptions {
  /** Must not run backwards. Windows go by its `elapsedMs`: a step of the date frees no place. */
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly config: BudgetConfig;
}

/** Longest time after which a request of an earlier run was answered, if at all. */
const ANSWER_MAX_MS = 15_000;

/**
 * Share of a second's places that unanswered requests may take. The rest is for finding out whether
 * the exchange answers again, and for going on then. While answers take less than a second this is
 * not noticed; requests beyond what the sockets carry would have to wait for them anyway.
 */
const UNANSWERED_SHARE = 1 / 2;

/** Share of a second's places left free for requests held by somebody on the way. */
const STRAGGLERS_SHARE = 1 / 20;

/** How long one kind of request lets the others go first when requests leave one by one. */
const TURN_MS = SECOND_MS / 2;

/**
 * Keeps the rate limits of one key as the exchange counts them, whatever the network does. It knows
 * only this process: anything else sent with the key, or from the address, comes on top.
 *
 * A request holds its place from the moment it leaves until a full window after its answer. The
 * exchange counted it somewhere in between, so its own window can never hold more than the limit:
 * of any requests that it counts within one window, the last one sent found all others in place.
 * The price is throughput: limit x window / (window + answer time).
 *
 * A request that was given up holds its place while it counts as under way, see `LostRequests`.
 * While nothing is answered, half of the places are left for single requests, spaced so that the
 * places last: the first answer makes room for all.
 *
 * Heartbeats and cancels may use everything. Orders leave a reserve for them and a share for reads;
 * reads have only that share. Orders and reads do not leave where they would queue in the
 * transport: there a newer request can no longer replace them.
 */
export class RateBudget {
  readonly #clock: Clock;
  readonly #unhurriedMax: number;
  /** Requests that may count in the exchange's windows. */
  readonly #second: SlidingWindow;
  readonly #minute: SlidingWindow;
  readonly #questionSecond: SlidingWindow;
  readonly #questionMinute: SlidingWindow;
  readonly #config: BudgetConfig;
  readonly #lost = new LostRequests();
  /** Most unanswered requests before they leave one by one, and the pause between these. */
  readonly #unansweredMax: number;
  readonly #probePauseMs: number;
  /** Places left free while requests may arrive that no longer count as under way. */
  readonly #stragglersMax: number;
  /** When the newest request left, in elapsed time, and what it was for. */
  #leftMs = Number.NEGATIVE_INFINITY;
  #leftPriority: Priority | undefined;
  /** When the newest given-up request was given up. */
  #lostMs = Number.NEGATIVE_INFINITY;
  #unanswered = 0;
  #unansweredQuestions = 0;
  #unansweredUnhurried = 0;
  /** In elapsed time, as are the windows. */
  #silentUntilMs = Number.NEGATIVE_INFINITY;
  #locked = false;

  constructor({ clock, limits, config }: RateBudgetOptions) {
    const { marginMs, questionsShare, minuteShare } = config;
    const requestsPerMinute = Math.max(1, Math.floor(limits.requestsPerMinute * minuteShare));
    const window = (limit: number, windowMs: number) =>
      new SlidingWindow(limit, windowMs + marginMs);
    const ofShare = (limit: number) => Math.max(1, Math.floor(limit * questionsShare));
    this.#clock = clock;
    this.#unhurriedMax = limits.unhurriedInFlightMax ?? Number.POSITIVE_INFINITY;
    this.#config = config;
    this.#second = window(limits.requestsPerSecond, SECOND_MS);
    this.#minute = window(requestsPerMinute, MINUTE_MS);
    this.#questionSecond = window(ofShare(limits.requestsPerSecond), SECOND_MS);
    this.#questionMinute = window(ofShare(requestsPerMinute), MINUTE_MS);
    this.#unansweredMax = Math.max(1, Math.floor(limits.requestsPerSecond * UNANSWERED_SHARE));
    this.#stragglersMax = Math.floor(limits.requestsPerSecond * STRAGGLERS_SHARE);
    this.#probePauseMs = LOST_MAX_MS / (limits.requestsPerSecond - this.#unansweredMax);
  }

  /** Whether a request of that priority may leave now. */
  hasRoom(priority: Priority): boolean {
    return this.#waitMs(priority) <= 0;
  }

  /**
   * The earliest time at which such a request may leave; infinite while only an answer can make
   * room.
   */
  roomAtMs(priority: Priority): number {
    return this.#clock.now() + this.#waitMs(priority);
  }

  /**
   * A request leaves now. Returns when, in elapsed time. Call `answered`, `lost` or `unsent` for
   * it, once, with that time.
   */
  take(priority: Priority): number {
    this.#unanswered++;
    if (!isUrgent(priority)) this.#unansweredUnhurried++;
    if (priority === 'question') this.#unansweredQuestions++;
    this.#leftPriority = priority;
    this.#leftMs = elapsedMs(this.#clock);
    return this.#leftMs;
  }

  /** The request was answered: the exchange can't count it later than now. */
  answered(priority: Priority, leftMs: number): void {
    const nowMs = elapsedMs(this.#clock);
    this.#end(priority, nowMs);
    this.#count(nowMs);
    this.#lost.answered(leftMs, nowMs);
  }

  /** The request was given up: the exchange may still count it later. */
  lost(priority: Priority, leftMs: number): void {
    const nowMs = elapsedMs(this.#clock);
    this.#end(priority, nowMs);
    this.#lost.add(leftMs, nowMs);
    this.#lostMs = nowMs;
  }

  /** The request was given up, and is answered after all. */
  answeredLate(leftMs: number): void {
    this.#lost.answeredLate(leftMs, elapsedMs(this.#clock));
  }

  /** The request never left: its place is free. */
  unsent(priority: Priority): void {
    this.#unanswered--;
    if (!isUrgent(priority)) this.#unansweredUnhurried--;
    if (priority === 'question') this.#unansweredQuestions--;
  }

  /** The exchange refused our pace: nothing leaves for a while. */
  limited(): void {
    this.#silence(this.#config.limitedBackOffMs);
  }

  /**
   * The key or the address is locked: after a long silence single requests find out whether that is
   * over.
   */
  locked(): void {
    this.#locked = true;
    this.#silence(this.#config.lockedBackOffMs);
  }

  /** Lets a single request find out now whether a lock is over. */
  askAfterLock(): void {
    if (this.#locked) this.#silentUntilMs = elapsedMs(this.#clock);
  }

  /** The exchange did as asked: any lock is over. */
  succeeded(): void {
    this.#locked = false;
  }

  /**
   * Takes over the times at which requests of earlier runs left, oldest first, milliseconds since
   * the epoch. The newest ones, as many as may be unanswered, count as given up.
   */
  restore(times: readonly number[]): void {
    const nowMs = elapsedMs(this.#clock);
    const aheadMs = this.#clock.now() - nowMs;
    const answered = times.length - this.#unansweredMax;
    times.forEach((time, index) => {
      const sentMs = time - aheadMs;
      if (index < answered) this.#count(Math.min(nowMs, sentMs + ANSWER_MAX_MS));
      else if (sentMs > nowMs - LOST_MAX_MS) this.#lost.inherit(nowMs);
    });
  }

  usage(): BudgetUsage {
    const nowMs = elapsedMs(this.#clock);
    this.#release(nowMs);
    const held = this.#unanswered + this.#lost.count;
    return {
      lastSecond: held + this.#second.count(nowMs),
      lastMinute: held + this.#minute.count(nowMs),
      requestsPerSecond: this.#second.capacity,
      requestsPerMinute: this.#minute.capacity,
      unanswered: this.#unanswered,
    };
  }

  #waitMs(priority: Priority): number {
    const nowMs = elapsedMs(this.#clock);
    if (!isUrgent(priority) && this.#unansweredUnhurried >= this.#unhurriedMax) return NEVER;
    this.#release(nowMs);
    const isBlocked = this.#unanswered + this.#lost.stuck >= this.#unansweredMax;
    if ((isBlocked || this.#locked) && this.#unanswered > 0) return NEVER;
    let atMs = this.#silentUntilMs;
    if (isBlocked) atMs = Math.max(atMs, this.#turnMs(priority));
    const held = this.#unanswered + this.#lost.count;
    for (const window of [this.#second, this.#minute]) {
      const limit = this.#limitOf(priority, { window, nowMs });
      atMs = Math.max(atMs, roomAtMs(window, { limit, held, nowMs }));
    }
    // Not before the next given-up request no longer counts as under way.
    if (atMs === NEVER) atMs = this.#lost.nextMs;
    if (priority !== 'question') return atMs - nowMs;
    for (const window of [this.#questionSecond, this.#questionMinute]) {
      const { capacity: limit } = window;
      atMs = Math.max(atMs, roomAtMs(window, { limit, held: this.#unansweredQuestions, nowMs }));
    }
    return atMs - nowMs;
  }

  /**
   * When it is that kind's turn while requests leave one by one. The kind that left last lets the
   * others go first, however soon its request failed.
   */
  #turnMs(priority: Priority): number {
    const atMs = this.#leftMs + this.#probePauseMs;
    return priority === this.#leftPriority ? Math.max(atMs, this.#lostMs) + TURN_MS : atMs;
  }

  /** The request has ended for this process. */
  #end(priority: Priority, nowMs: number): void {
    this.unsent(priority);
    if (priority !== 'question') return;
    this.#questionSecond.add(nowMs);
    this.#questionMinute.add(nowMs);
  }

  /** Notes that the exchange counted a request at that time or before. */
  #count(timeMs: number): void {
    this.#second.add(timeMs);
    this.#minute.add(timeMs);
  }

  /** Counts given-up requests once they no longer hold a place as under way. */
  #release(nowMs: number): void {
    if (this.#lost.count === 0) return;
    for (let left = this.#lost.release(nowMs); left > 0; left--) this.#count(nowMs);
  }

  #silence(durationMs: number): void {
    this.#silentUntilMs = Math.max(this.#silentUntilMs, elapsedMs(this.#clock) + durationMs);
  }

  #limitOf(
    priority: Priority,
    { window, nowMs }: { readonly window: SlidingWindow; readonly nowMs: number },
  ): number {
    const mayStraggle = nowMs < this.#lost.stragglesUntilMs + window.windowMs;
    const free = mayStraggle && window === this.#second ? this.#stragglersMax : 0;
    const limit = window.capacity - free;
    if (isUrgent(priority)) return limit;
    const { reserveForCancels, questionsShare } = this.#config;
    const kept = reserveForCancels + (priority === 'question' ? 0 : questionsShare);
    return Math.max(1, Math.floor(limit * (1 - kept)));
  }
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * When fewer than `limit` places are in use; infinite while unanswered requests hold too many
 * (`held`).
 */
function roomAtMs(
  window: SlidingWindow,
  { limit, held, nowMs }: { limit: number; held: number; nowMs: number },
): number {
  return held < limit ? window.fallsToMs(limit - held - 1, nowMs) : NEVER;
}

/** Whether such requests go before all others, over sockets of their own. */
function isUrgent(priority: Priority): boolean {
  return priority === 'heartbeat' || priority === 'cancel';
}
