import { TRADING_STATES, type TradingEvent, type TradingState } from '../domain/index.ts';
import type { Bus, Clock } from '../kernel/index.ts';

export interface TradingStateOptions {
  readonly clock: Clock;
  readonly bus: Bus<TradingEvent>;
  /** What an earlier run left, so that a halt outlives a restart. Default: ACTIVE. */
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

  /** Why the state is what it is. */
  get reason(): string {
    return this.#reason;
  }

  /** When a person last reset it in this run. */
  get resetTime(): number | undefined {
    return this.#resetTime;
  }

  /** Has work done at each reset by a person, before anybody hears of it. */
  onReset(work: () => void): void {
    this.#onReset.push(work);
  }

  /** Tightens the state; a state that is not tighter changes nothing. Answers whether it did. */
  set(state: TradingState, reason: string): boolean {
    if (TRADING_STATES.indexOf(state) <= TRADING_STATES.indexOf(this.#state)) return false;
    this.#change(state, reason);
    return true;
  }

  /** A person's word, the only way back: trading goes on as ACTIVE. */
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
