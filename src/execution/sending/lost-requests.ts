import { SECOND_MS } from '../../kernel/index.ts';

/**
 * Longest time that a request may be under way after it was given up: no packet lives longer (RFC
 * 9293, MSL), and what a socket had left when it was closed, that of a proxy or of a killed process,
 * Linux sends for some 100 s more (tcp_orphan_retries).
 */
export const LOST_MAX_MS = 120_000;

/** A request that was given up. */
interface LostRequest {
  readonly sentMs: number;
  /** When it was given up and its socket reset: nothing of it has left this machine since. */
  readonly endMs: number;
  /** Until when it counts as under way. */
  untilMs: number;
  /** When it can't be under way any more, whatever held it. */
  goneMs: number;
  /** Nothing says that the way was open after it was given up. */
  isStuck: boolean;
}

/**
 * The requests that were given up and may be under way still: after a stall of the network all of
 * them arrive, at once or one after the other.
 *
 * Each counts as under way until the exchange answers a request that left after it was given up,
 * and so behind all that ever left of it. The answer to one that left before proves nothing: the
 * network may have come to a stop between the two.
 *
 * Then it counts for as long again as it has been out. The reset ends what this machine sends again,
 * not what others do: a proxy of the exchange has a connection of its own behind ours, and sends
 * again what gets lost there, at pauses that double, for somebody who has gone too. Two minutes
 * after it was given up that is over in any case. What is held longer than that is a straggler: it
 * comes alone, so a few free places are enough for all of them, see `stragglesUntilMs`.
 *
 * Market data and pushes prove nothing: they come over ways of their own. All times are elapsed
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

  /** Until when one that counts as under way no more may arrive all the same. */
  get stragglesUntilMs(): number {
    return this.#stragglesUntilMs;
  }

  /** When the next of them counts as under way no more; infinite: there is none. */
  get nextMs(): number {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.#requests) nextMs = Math.min(nextMs, untilMs);
    return nextMs;
  }

  /** The request that left at `sentMs` is given up. */
  add(sentMs: number, nowMs: number): void {
    const request = this.#hold(sentMs, nowMs);
    // What fails within a second was ended by somebody on the way, which therefore is open.
    if (nowMs < sentMs + SECOND_MS) this.#overtake(request, nowMs);
  }

  /** Nobody knows what became of a request of an earlier run, nor was its socket reset. */
  inherit(nowMs: number): void {
    this.#hold(nowMs, nowMs);
  }

  /** The request that left at `sentMs` was answered: what was given up before it is not stuck. */
  answered(sentMs: number, nowMs: number): void {
    if (this.#stuck === 0) return;
    for (const request of this.#requests) {
      if (request.isStuck && request.endMs <= sentMs) this.#overtake(request, nowMs);
    }
  }

  /** The request that left at `sentMs` was given up, and is answered after all: it is over. */
  answeredLate(sentMs: number, nowMs: number): void {
    for (const request of this.#requests) {
      if (request.sentMs !== sentMs || request.untilMs <= nowMs) continue;
      request.untilMs = nowMs;
      request.goneMs = nowMs;
      break;
    }
    this.answered(sentMs, nowMs);
  }

  /** Forgets those that count as under way no more. How many these are. */
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
