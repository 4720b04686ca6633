import { type RateLimits, TIMED_CANCEL_MS } from '../../exchange/index.ts';
import { type Clock, elapsedMs, getOrInsert, SECOND_MS } from '../../kernel/index.ts';
import type { HeartbeatView } from '../../risk/index.ts';
import type { HeartbeatConfig } from '../config.ts';

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly limits: RateLimits;
  readonly config: HeartbeatConfig;
}

/**
 * What a market needs: `called`: its timed cancel is kept armed; `place`: it only keeps its place
 * among the markets kept alive, as all its orders are being cancelled; `nothing`.
 */
export type HeartbeatNeed = 'called' | 'place' | 'nothing';

/** The timed cancel of a market, as shown to people. */
export interface HeartbeatState {
  /** When the newest confirmed call left, milliseconds since the epoch; undefined: none was. */
  readonly confirmedMs: number | undefined;
  /** When that confirmation lapsed; undefined: it has not, or there was none. */
  readonly lapsedMs: number | undefined;
  /** When the exchange cancels the market's orders by itself, if it hears no other call. */
  readonly firesMs: number | undefined;
  /** Whether the newest finished call was not answered at all. */
  readonly isUnanswered: boolean;
}

/** The state of a timed cancel that was never armed. */
export const NEVER_ARMED: HeartbeatState = {
  ...{ confirmedMs: undefined, lapsedMs: undefined, firesMs: undefined },
  isUnanswered: false,
};

/** The timed cancel of one market. */
interface Pulse {
  /** When the newest confirmed call left; undefined: not armed, or lapsed. */
  confirmedMs: number | undefined;
  /** When the newest confirmed call left, even if it has lapsed since. */
  newestMs: number | undefined;
  isUnanswered: boolean;
  /** A call is under way. */
  calling: boolean;
  retryAtMs: number;
  /** Until when an order that was not found may come to rest, in elapsed time. */
  awaitedUntilMs: number;
}

/**
 * Knows for every market whether the exchange's timed cancel is armed, and when to call it again.
 *
 * The exchange counts its minute from the arrival of the call, we from its departure: our minute
 * ends first. A call with unknown outcome changes nothing. Without a fresh sign of life from the
 * engine no call is due, so that the timed cancel of a hung engine fires.
 */
export class Heartbeat implements HeartbeatView {
  readonly #clock: Clock;
  readonly #config: HeartbeatConfig;
  readonly #pulses = new Map<string, Pulse>();
  readonly #needs = new Map<string, Exclude<HeartbeatNeed, 'nothing'>>();
  /** Whether there are timed cancels at all: if not, nobody needs to tell the markets' needs. */
  readonly isKept: boolean = true;
  /** Most markets that can be kept alive within the share of the rate budget. */
  readonly marketsMax: number;
  #lifeMs = Number.NEGATIVE_INFINITY;

  constructor({ clock, limits, config }: HeartbeatOptions) {
    this.#clock = clock;
    this.#config = config;
    const callsPerMs = (limits.requestsPerSecond * config.budgetShare) / SECOND_MS;
    this.marketsMax = Math.max(1, Math.floor(callsPerMs * config.refreshMs));
  }

  /** The engine is alive. */
  signOfLife(): void {
    this.#lifeMs = this.#clock.now();
  }

  confirmed(market: string): boolean {
    const confirmedMs = this.#pulses.get(market)?.confirmedMs;
    return confirmedMs !== undefined && this.#clock.now() < confirmedMs + this.#trustMs();
  }

  /** Milliseconds since the newest confirmed call left; infinite: none did, or it has lapsed. */
  ageMs(market: string): number {
    return this.#clock.now() - (this.#pulses.get(market)?.confirmedMs ?? LONG_AGO);
  }

  /** The state of the market's timed cancel. */
  state(market: string): HeartbeatState {
    const { newestMs, isUnanswered = false } = this.#pulses.get(market) ?? {};
    if (newestMs === undefined) return { ...NEVER_ARMED, isUnanswered };
    const endMs = newestMs + this.#trustMs();
    const lapsedMs = this.#clock.now() < endMs ? undefined : endMs;
    const firesMs = newestMs + TIMED_CANCEL_MS;
    return { confirmedMs: newestMs, lapsedMs, firesMs, isUnanswered };
  }

  /**
   * Whether orders may leave in the market: it has a place among those kept alive, or there is a
   * free one. Exits end at once and want one call each, so they have as many places again.
   */
  admits(market: string, { isExit = false } = {}): boolean {
    const placesMax = isExit ? 2 * this.marketsMax : this.marketsMax;
    const { size } = this.#needs;
    if (!this.#needs.has(market)) return size < placesMax;
    if (isExit || size <= placesMax) return true;
    return [...this.#needs.keys()].indexOf(market) < placesMax;
  }

  /** Sets what the market needs from now on. */
  need(market: string, need: HeartbeatNeed): void {
    if (need === 'nothing') this.#needs.delete(market);
    else this.#needs.set(market, need);
  }

  /** What the market needs, as last set. */
  needOf(market: string): HeartbeatNeed {
    return this.#needs.get(market) ?? 'nothing';
  }

  /**
   * An order that was not found may come to rest in the market within `forMs` from now: the timed
   * cancel is called until then, whatever else the market needs.
   */
  awaits(market: string, forMs: number): void {
    const pulse = this.#pulseOf(market);
    pulse.awaitedUntilMs = Math.max(pulse.awaitedUntilMs, elapsedMs(this.#clock) + forMs);
  }

  /** All orders of the market were found or have ended. */
  awaitsNone(market: string): void {
    this.#pulseOf(market).awaitedUntilMs = LONG_AGO;
  }

  /** The markets whose call should leave now. */
  due(): readonly string[] {
    const nowMs = this.#clock.now();
    if (this.#nextCallMs(nowMs) > nowMs) return NONE;
    return [...this.#needs.keys()].filter((market) => this.#callMs(market) <= nowMs);
  }

  /** A call leaves. */
  calling(market: string): void {
    this.#pulseOf(market).calling = true;
  }

  /** The exchange confirmed the call that left at `sentMs`. */
  confirm(market: string, sentMs: number): void {
    const pulse = this.#pulseOf(market);
    pulse.calling = false;
    pulse.confirmedMs = Math.max(pulse.confirmedMs ?? sentMs, sentMs);
    pulse.newestMs = Math.max(pulse.newestMs ?? sentMs, sentMs);
    pulse.isUnanswered = false;
    // The answer came too late to be trusted; a call made at once would be answered as late.
    if (!this.confirmed(market)) pulse.retryAtMs = this.#clock.now() + this.#config.retryMs;
  }

  /** The call failed, or its outcome is unknown. Default: it was answered. */
  failed(market: string, { isUnanswered = false } = {}): void {
    const pulse = this.#pulseOf(market);
    pulse.isUnanswered = isUnanswered;
    pulse.calling = false;
    pulse.retryAtMs = this.#clock.now() + this.#config.retryMs;
  }

  /** The markets whose confirmation ran out since the last call of this. */
  takeLapsed(): readonly string[] {
    const trustedMs = this.#clock.now() - this.#trustMs();
    let lapsed: string[] | undefined;
    for (const [market, pulse] of this.#pulses) {
      if (pulse.confirmedMs === undefined || pulse.confirmedMs > trustedMs) continue;
      pulse.confirmedMs = undefined;
      lapsed = [...(lapsed ?? []), market];
    }
    return lapsed ?? NONE;
  }

  /** When to look again: a call becomes due or a confirmation runs out. */
  get nextMs(): number {
    return Math.min(this.#nextCallMs(this.#clock.now()), this.nextLapseMs);
  }

  /** When the first confirmation runs out, if it is not renewed. */
  get nextLapseMs(): number {
    let nextMs = NEVER;
    for (const { confirmedMs } of this.#pulses.values()) {
      if (confirmedMs !== undefined) nextMs = Math.min(nextMs, confirmedMs + this.#trustMs());
    }
    return nextMs;
  }

  /** When the last armed timed cancel fires by itself, undefined when none is armed. */
  get lastFiringMs(): number | undefined {
    const newest = [...this.#pulses.values()].map(({ newestMs = LONG_AGO }) => newestMs);
    const firesMs = Math.max(...newest) + TIMED_CANCEL_MS;
    return firesMs > this.#clock.now() ? firesMs : undefined;
  }

  #trustMs(): number {
    return TIMED_CANCEL_MS - this.#config.safetyMarginMs;
  }

  #nextCallMs(nowMs: number): number {
    if (nowMs > this.#lifeMs + this.#config.signOfLifeMs) return NEVER;
    let nextMs = NEVER;
    for (const market of this.#needs.keys()) nextMs = Math.min(nextMs, this.#callMs(market));
    return nextMs;
  }

  #callMs(market: string): number {
    const { confirmedMs, calling, retryAtMs, awaitedUntilMs } = this.#pulseOf(market);
    if (calling) return NEVER;
    if (this.needOf(market) !== 'called' && elapsedMs(this.#clock) >= awaitedUntilMs) return NEVER;
    if (confirmedMs === undefined) return retryAtMs;
    return Math.max(retryAtMs, confirmedMs + this.#config.refreshMs);
  }

  #pulseOf(market: string): Pulse {
    return getOrInsert(this.#pulses, market, () => ({
      confirmedMs: undefined,
      newestMs: undefined,
      isUnanswered: false,
      calling: false,
      retryAtMs: LONG_AGO,
      awaitedUntilMs: LONG_AGO,
    }));
  }
}

const NEVER = Number.POSITIVE_INFINITY;
const LONG_AGO = Number.NEGATIVE_INFINITY;
const NONE: readonly string[] = [];
