import { defer, finalize, type MonoTypeOperatorFunction, mergeMap, Subscription } from 'rxjs';
import type { Market, TargetIntent } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { StrategyError } from './errors.ts';
import { heldSide } from './held-side.ts';
import { target } from './intents.ts';
import { requireTarget } from './require-target.ts';

/** What `openAtMost` looks at of a strategy's context. */
export type CountedContext = Pick<
  StrategyContext,
  'markets' | 'clock' | 'position' | 'fills' | 'orders'
>;

/**
 * Passes targets through, and leaves out those that would open a position in more than `most`
 * markets at once. A market counts from its target until its position is flat again, or until it is
 * wished flat before anything was held.
 *
 * A target that is left out is gone: the source has to wish it again once there is room. An older
 * target of which nothing is held and no order is live, such as one that risk refused or a warm-up
 * dropped, gives its place to a newer one: its market is wished flat.
 *
 * @throws {StrategyError} when `most` is not whole and positive, or a wish is not a target.
 */
export function openAtMost(
  context: CountedContext,
  most: number,
): MonoTypeOperatorFunction<TargetIntent> {
  if (!Number.isInteger(most) || most < 1) {
    throw new StrategyError(
      `Cannot open at most ${most} positions: a whole number of at least 1 is wanted`,
    );
  }
  return (source) =>
    defer(() => {
      const places = new Places(context, most);
      return source.pipe(
        mergeMap((wish) => places.passing(wish)),
        finalize(() => places.close()),
      );
    });
}

/** The markets in which something is held or wished. */
class Places {
  readonly #context: CountedContext;
  readonly #most: number;
  readonly #held = new Set<Market>();
  /** Markets with live orders. */
  readonly #ordered = new Set<Market>();
  /** When each market was last wished, the oldest wish first. */
  readonly #wished = new Map<Market, number>();
  readonly #subscription = new Subscription();

  constructor(context: CountedContext, most: number) {
    this.#context = context;
    this.#most = most;
    for (const market of context.markets) {
      const holding = heldSide(context, market).subscribe((side) => this.#hold(market, side));
      const ordering = context.orders(market).subscribe(({ length }) => {
        if (length > 0) this.#ordered.add(market);
        else this.#ordered.delete(market);
      });
      this.#subscription.add(holding);
      this.#subscription.add(ordering);
    }
  }

  /**
   * The wishes to emit for a wish: none without room, else the wish itself, preceded by the flat
   * target of the market that gives way, if one does.
   */
  passing(wish: TargetIntent): TargetIntent[] {
    requireTarget(wish, `Cannot open at most ${this.#most} positions`);
    const market = this.#context.markets.find(({ id }) => id === wish.market);
    // A market that is not the strategy's own is left to risk, which refuses it.
    if (market === undefined) return [wish];
    if (wish.position === 0) {
      this.#wished.delete(market);
      return [wish];
    }
    if (this.#hasRoom(market)) return this.#take(market, wish);
    const idle = this.#idle();
    if (idle === undefined) return [];
    this.#wished.delete(idle);
    return [target(idle, 0), ...this.#take(market, wish)];
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  #hasRoom(market: Market): boolean {
    const taken = new Set([...this.#held, ...this.#wished.keys()]);
    return taken.has(market) || taken.size < this.#most;
  }

  #take(market: Market, wish: TargetIntent): TargetIntent[] {
    this.#wished.delete(market);
    this.#wished.set(market, this.#context.clock.now());
    return [wish];
  }

  /** The market of the oldest wish of which nothing is held and no order is live. */
  #idle(): Market | undefined {
    const nowMs = this.#context.clock.now();
    for (const [market, timeMs] of this.#wished) {
      // The orders of a wish made at this very moment may not be known yet.
      const isIdle = timeMs < nowMs && !this.#held.has(market) && !this.#ordered.has(market);
      if (isIdle) return market;
    }
    return undefined;
  }

  #hold(market: Market, side: number): void {
    if (side !== 0) this.#held.add(market);
    // Whatever closed the position, such as a stop, ended its wish.
    else if (this.#held.delete(market)) this.#wished.delete(market);
  }
}
