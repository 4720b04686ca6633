import { type Subscription, timer } from 'rxjs';
import {
  type Depth,
  type Fill,
  isTradable,
  type Market,
  type Position,
  type StandingWish,
  type TargetIntent,
} from '../domain/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { ExitTerms } from './exit-rules.ts';
import { FeeCoins } from './fee-coins.ts';
import { target } from './intents.ts';
import { entryPrice } from './is-held.ts';
import { lossBorneAt } from './loss-steps.ts';
import { profitTakenAt } from './profit-steps.ts';

export interface PositionGuardOptions {
  readonly market: Market;
  readonly terms: ExitTerms;
  readonly clock: Clock;
  /** Called with the wish to be flat. */
  readonly exit: (wish: TargetIntent) => void;
}

/** The rounding error of quotients that is forgiven: a rule that is met exactly is met. */
const ROUNDING_ERROR = 1e-12;
/**
 * How long a target for the other side goes ahead of exits, milliseconds. An exit would stop the
 * turn at flat or, if its order is on the way, buy back what that sells. No longer, for risk may
 * have refused the turn.
 */
const TURN_MS = 5_000;

/** Watches a strategy's position in one market and calls `exit` when a rule closes it. */
export class PositionGuard {
  readonly #options: PositionGuardOptions;
  readonly #flat: TargetIntent;
  /** 1 is long, -1 short, 0 flat. */
  #side = 0;
  #size = 0;
  readonly #feeCoins: FeeCoins;
  /** The mean entry price; NaN where it is not known. */
  #entry = Number.NaN;
  /**
   * The price that closing would get in the newest book, and the best such price since the entry.
   */
  #price = Number.NaN;
  #best = Number.NaN;
  /** When the position opened, or became known. */
  #sinceMs = Number.NaN;
  #timer: Subscription | undefined;
  #isOverdue = false;
  /** Whether the guard's exit is the standing wish. */
  #isExiting = false;
  /** The side of the source's newest target, undefined before the first, and since when. */
  #wished: number | undefined;
  #wishedMs = Number.NaN;
  /** The side that was closed and may not be wished again yet; 0 is none. */
  #barred = 0;
  #exitMs = Number.NEGATIVE_INFINITY;

  constructor(options: PositionGuardOptions) {
    this.#options = options;
    const { market, terms } = options;
    this.#feeCoins = new FeeCoins(market);
    this.#flat = target(market, 0, { slippage: terms.slippage });
  }

  /** Whether a wish of the source may pass; a target that passes replaces an exit. */
  admits(wish: StandingWish): boolean {
    return wish.kind === 'quotes' ? this.#admitsQuotes() : this.#admitsTarget(wish);
  }

  /** Quotes end a target: an exit under way would stop with part of the position still held. */
  #admitsQuotes(): boolean {
    const { reenterAfterMs } = this.#options.terms;
    const isPaused = reenterAfterMs < Number.POSITIVE_INFINITY && !this.#mayReenter();
    if (this.#isExiting || isPaused) return false;
    this.#barred = 0;
    this.#wished = undefined;
    return true;
  }

  #admitsTarget({ position }: TargetIntent): boolean {
    const side = Math.sign(position);
    if (side !== 0 && side === this.#barred && !this.#mayReenter()) return false;
    this.#barred = 0;
    if (side !== this.#wished) this.#wishedMs = this.#options.clock.now();
    this.#wished = side;
    this.#isExiting = false;
    return true;
  }

  /** Notes the coins that a fill's fee took. Its position is told to `hold` afterwards. */
  trade(fill: Fill): void {
    this.#feeCoins.note(fill);
  }

  /** Notes the position that is held now. */
  hold(position: Position): void {
    const { amount } = position;
    const size = Math.abs(amount.toNumber());
    const hasGrown = size > this.#size;
    this.#size = size;
    this.#entry = entryPrice(position);
    const side = this.#isTradable(position) ? amount.sign : 0;
    if (side !== this.#side) this.#begin(side);
    // An order has added to what is being closed: the standing exit does not sell that part.
    else if (hasGrown) this.#isExiting = false;
  }

  /** Checks the rules against a book. */
  judge({ bids, asks }: Depth): void {
    const side = this.#side;
    if (side === 0) return;
    const bid = bids[0]?.[0];
    const ask = asks[0]?.[0];
    const price = side > 0 ? bid : ask;
    if (price === undefined || (bid !== undefined && ask !== undefined && bid >= ask)) return;
    this.#price = price;
    if (!(side * (this.#best - price) >= 0)) this.#best = price;
    if (this.#isOverdue || this.#isMet(price)) this.#exit();
  }

  /** Stops the timer. */
  close(): void {
    this.#timer?.unsubscribe();
  }

  /** Starts over with a new position, or with none if the side is 0. */
  #begin(side: number): void {
    this.#side = side;
    this.#price = Number.NaN;
    this.#best = Number.NaN;
    this.#isExiting = false;
    this.#isOverdue = false;
    this.close();
    const { terms, clock } = this.#options;
    this.#sinceMs = clock.now();
    if (side !== 0 && terms.holdMaxMs < Number.POSITIVE_INFINITY) {
      this.#timer = timer(terms.holdMaxMs, clock).subscribe(() => {
        this.#isOverdue = true;
        this.#exit();
      });
    }
  }

  /**
   * Whether the position is large enough for an exit to trade it. Dust that fees leave is not, nor
   * is what is left of a short position because the fee of the closing purchase took coins.
   */
  #isTradable(position: Position): boolean {
    const price = Number.isNaN(this.#price) ? this.#entry : this.#price;
    return isTradable(this.#options.market, { size: this.#feeCoins.sizeOf(position), price });
  }

  #isMet(price: number): boolean {
    const { terms, clock } = this.#options;
    const { stopLoss, takeProfit, trailing, trailingFrom } = terms;
    const profit = this.#profitAt(price);
    if (profit >= profitTakenAt(takeProfit, clock.now() - this.#sinceMs) - ROUNDING_ERROR)
      return true;
    const isLong = this.#side > 0;
    const best = isLong ? Math.max(this.#best, this.#entry) : Math.min(this.#best, this.#entry);
    const bestProfit = this.#profitAt(best) + ROUNDING_ERROR;
    if (profit <= ROUNDING_ERROR - lossBorneAt(stopLoss, bestProfit)) return true;
    if (!(bestProfit >= trailingFrom)) return false;
    return this.#side * (1 - price / best) >= trailing - ROUNDING_ERROR;
  }

  /** The profit at a price, a fraction of the entry price; NaN where that is not known. */
  #profitAt(price: number): number {
    return this.#side * (price / this.#entry - 1);
  }

  #exit(): void {
    const { clock, exit } = this.#options;
    // A source that has wished nothing yet may have wished this side in an earlier run.
    const wished = this.#wished ?? this.#side;
    const isTurning = wished === -this.#side && clock.now() - this.#wishedMs < TURN_MS;
    if (this.#isExiting || isTurning) return;
    this.#isExiting = true;
    // A source that has wished something else already may wish this side again: that is new.
    this.#barred = wished === this.#side ? wished : 0;
    this.#exitMs = clock.now();
    exit(this.#flat);
  }

  #mayReenter(): boolean {
    const { clock, terms } = this.#options;
    return clock.now() - this.#exitMs >= terms.reenterAfterMs;
  }
}
