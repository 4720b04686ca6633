import { getOrInsert, MINUTE_MS, SECOND_MS, SlidingWindow } from '../../../kernel/index.ts';
import { ByAddress } from './by-address.ts';
import type { ServerLimits } from './config.ts';

interface AddressState {
  /** Signed requests of the last minute, counted anew after a lock. */
  requests: SlidingWindow;
  readonly candles: SlidingWindow;
  lockedUntilMs: number;
}

/**
 * Decides which requests exceed a limit. Refused requests do not count for a key's second.
 *
 * Source: contract, Limits; a limit holds in every trailing window, wherever it starts.
 */
export class Limiter {
  readonly #limits: ServerLimits;
  readonly #keys = new Map<string, SlidingWindow>();
  readonly #addresses: ByAddress<AddressState>;

  constructor(limits: ServerLimits) {
    this.#limits = limits;
    const stateOf = (): AddressState => ({
      requests: this.#minute(),
      candles: new SlidingWindow(1, limits.candleIntervalMs),
      lockedUntilMs: 0,
    });
    this.#addresses = new ByAddress(stateOf, isSilent);
  }

  /** Counts a signed request, whatever its outcome; true when it locked the address. */
  arrive(address: string, nowMs: number): boolean {
    if (!this.#limits.enforced) return false;
    const state = this.#addresses.of(address, nowMs);
    if (nowMs < state.lockedUntilMs || state.requests.add(nowMs)) return false;
    state.lockedUntilMs = nowMs + this.#limits.lockMs;
    // Else an address that is unlocked early would be locked again by its next request.
    state.requests = this.#minute();
    return true;
  }

  /** Whether the address sent too much within a minute, and its lock has not run out. */
  isLocked(address: string, nowMs: number): boolean {
    return nowMs < (this.#addresses.get(address)?.lockedUntilMs ?? 0);
  }

  /** Locks an address from now on, whatever it sent. */
  lock(address: string, { nowMs, durationMs }: { nowMs: number; durationMs: number }): void {
    this.#addresses.of(address, nowMs).lockedUntilMs = nowMs + durationMs;
  }

  /** Ends the lock of an address; false when it has none. */
  unlock(address: string, nowMs: number): boolean {
    if (!this.isLocked(address, nowMs)) return false;
    this.#addresses.of(address, nowMs).lockedUntilMs = 0;
    return true;
  }

  /** The present locks: until when, by address. */
  locks(nowMs: number): ReadonlyMap<string, number> {
    const untilMs = Array.from(this.#addresses, ([address, state]) => {
      return [address, state.lockedUntilMs] as const;
    });
    return new Map(untilMs.filter(([, lockedUntilMs]) => lockedUntilMs > nowMs));
  }

  /** Whether the key has a request left in the second that ends now; takes it if so. */
  takeRequest(accessKey: string, nowMs: number): boolean {
    if (!this.#limits.enforced) return true;
    const { requestsPerSecond } = this.#limits;
    const window = () => new SlidingWindow(requestsPerSecond, SECOND_MS);
    return getOrInsert(this.#keys, accessKey, window).add(nowMs);
  }

  /** Whether the address may ask for candles now; takes the turn if so. */
  takeCandles(address: string, nowMs: number): boolean {
    return !this.#limits.enforced || this.#addresses.of(address, nowMs).candles.add(nowMs);
  }

  #minute(): SlidingWindow {
    return new SlidingWindow(this.#limits.requestsPerMinute, MINUTE_MS);
  }
}

function isSilent({ requests, candles, lockedUntilMs }: AddressState, nowMs: number): boolean {
  return lockedUntilMs <= nowMs && requests.count(nowMs) === 0 && candles.count(nowMs) === 0;
}
