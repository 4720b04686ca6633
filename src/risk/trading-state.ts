import { TRADING_STATES, type TradingEvent, type TradingState } from '../domain/index.ts';
import type { Bus, Clock } from '../kernel/index.ts';

export interface TradingStateOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  /** The state left by an earlier run, so that a halt survives a restart. Default: ACTIVE. */
  readonly initial?: { readonly state: TradingState; readonly reason: string } | undefined;
}

/**
 * Whether new orders may leave. The program only ever tightens it, from ACTIVE over REDUCING to
 * HALTED; a person resets it. Every change is published.
 */
export class TradingStateControl {
  readonly #clock: Clock;
  readonly #bus: Bus<TradingEvent>;
  readonly #onReset: (() => void)[] = [];
  #state: TradingState;
  #reason: string;
  #resetTime: number | undefined;

  constructor({ clock, bus, initial }: TradingStateOptions) {
    this.#clock = clock;
    this.#bus = bus;
    this.#state = initial?.state ?? 'ACTIVE';
    this.#reason = initial?.reason ?? 'never changed';
  }

  get state(): TradingState {
    return this.#state;
  }

  /** Why the state was set. */
  get reason(): string {
    return this.#reason;
  }

  /** When a person last reset it in this run. */
  get resetTime(): number | undefined {
    return this.#resetTime;
  }

  /** Registers work to do at each reset by a person, before the reset is published. */
  onReset(work: () => void): void {
    this.#onReset.push(work);
  }

  /**
   * Tightens the state; a state that is not tighter changes nothing. Returns whether it changed.
   */
  set(state: TradingState, reason: string): boolean {
    if (TRADING_STATES.indexOf(state) <= TRADING_STATES.indexOf(this.#state)) return false;
    this.#change(state, reason);
    return true;
  }

  /** A person's reset, the only way back: trading goes on as ACTIVE. */
  reset(reason = 'reset by a person'): void {
    this.#resetTime = this.#clock.now();
    for (const work of this.#onReset) work();
    this.#change('ACTIVE', reason);
  }

  #change(state: TradingState, reason: string): void {
    this.#state = state;
    this.#reason = reason;
    this.#bus.publish({ kind: 'tradingState', time: this.#clock.now(), state, reason });
  }
}
