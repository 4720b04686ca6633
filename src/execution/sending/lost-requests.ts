import { SECOND_MS } from '../../kernel/index.ts';

/**
 * Longest time that a request may be under way after it was given up. No packet lives longer (RFC
 * 9293, MSL), and Linux goes on sending what was left in a closed socket, that of a proxy or of a
 * killed process, for some 100 s (tcp_orphan_retries).
 */
export const LOST_MAX_MS = 120_000;

/** A request that was given up. */
interface LostRequest {
  readonly sentMs: number;
  /** When it was given up and its socket reset: this machine has sent nothing of it since. */
  readonly endMs: number;
  /** Until when it counts as under way. */
  untilMs: number;
  /** When it can't be under way any more, whoever held it. */
  goneMs: number;
  /** Whether nothing shows yet that the way was open after it was given up. */
  isStuck: boolean;
}

/**
 * The requests that were given up and may still be under way: after a stall of the network all of
 * them arrive, at once or one after the other.
 *
 * Each counts as under way until the exchange answers a request that left after it was given up,
 * and so after the last of its packets. An answer to one that left before that proves nothing: the
 * network may have stalled between the two.
 *
 * From then on it counts for as long again as it had been out. Our reset of the socket stops what
 * this machine resends, not what others do: a proxy of the exchange has its own connection behind
 * ours, and resends lost packets at doubling pauses, even when the client is gone. Two minutes
 * after the request was given up that is over in any case. Requests held longer are stragglers:
 * they come one by one, so a few free places are enough for all of them, see `stragglesUntilMs`.
 *
 * Market data and pushes prove nothing: they come over other connections. All times are elapsed
 * time.
 */
export class LostRequests {
  readonly #requests = new Set<LostRequest>();
  #stuck = 0;
  #stragglesUntilMs = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#requests.size;
  }

  /** Those since which nothing was answered: the way may be blocked. */
  get stuck(): number {
    return this.#stuck;
  }

  /** Until when a request that no longer counts as under way may arrive all the same. */
  get stragglesUntilMs(): number {
    return this.#stragglesUntilMs;
  }

  /** When the next of them no longer counts as under way; infinite: there is none. */
  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.#requests) nextMs = Math.min(nextMs, untilMs);
    return nextMs;
  }

  /** The request that left at `sentMs` is given up. */
  add(sentMs: number, nowMs: number): void {
    const request = this.#hold(sentMs, nowMs);
    // A request that fails within a second was ended by somebody on the way: so the way is open.
    if (nowMs < sentMs + SECOND_MS) this.#overtake(request, nowMs);
  }

  /** Adds a request of an earlier run: its fate is not known, and its socket was not reset. */
  inherit(nowMs: number): void {
    this.#hold(nowMs, nowMs);
  }

  /**
   * The request that left at `sentMs` was answered: those given up before it left are not stuck.
   */
  answered(sentMs: number, nowMs: number): void {
    if (this.#stuck === 0) return;
    for (const request of this.#requests) {
      if (request.isStuck && request.endMs <= sentMs) this.#overtake(request, nowMs);
    }
  }

  /**
   * The request that left at `sentMs` was given up, and is answered after all: it no longer counts.
   */
  answeredLate(sentMs: number, nowMs: number): void {
    for (const request of this.#requests) {
      if (request.sentMs !== sentMs || request.untilMs <= nowMs) continue;
      request.untilMs = nowMs;
      request.goneMs = nowMs;
      break;
    }
    this.answered(sentMs, nowMs);
  }

  /** Forgets those that no longer count as under way. Returns their number. */
  release(nowMs: number): number {
    const before = this.#requests.size;
    for (const request of this.#requests) {
      if (request.untilMs > nowMs) continue;
      this.#requests.delete(request);
      this.#stragglesUntilMs = Math.max(this.#stragglesUntilMs, request.goneMs);
      if (request.isStuck) this.#stuck--;
    }
    return before - this.#requests.size;
  }

  #hold(sentMs: number, nowMs: number): LostRequest {
    const goneMs = nowMs + LOST_MAX_MS;
    const request = { sentMs, endMs: nowMs, untilMs: goneMs, goneMs, isStuck: true };
    this.#requests.add(request);
    this.#stuck++;
    return request;
  }

  #overtake(request: LostRequest, nowMs: number): void {
    request.isStuck = false;
    request.untilMs = Math.min(request.untilMs, nowMs + (nowMs - request.sentMs));
    this.#stuck--;
  }
}
