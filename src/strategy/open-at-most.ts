import { defer, finalize, type MonoTypeOperatorFunction, mergeMap, Subscription } from 'rxjs';
import type { Market, Position, TargetIntent } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { StrategyError } from './errors.ts';
import { target } from './intents.ts';
import { isHeld } from './is-held.ts';

/** What `openAtMost` looks at of a strategy's context. */
export type CountedContext = Pick<StrategyContext, 'markets' | 'clock' | 'position' | 'orders'>;

/**
 * Passes targets through, and leaves out those that would open a position in more than `most` markets
 * at once. A market counts from its wish until it is flat again, or is wished flat before anything of
 * it was held.
 *
 * A wish that is left out is gone: the source makes it anew if it still wants it once there is room.
 * A wish of an earlier moment of which nothing is held nor ordered, as one that risk refuses or a
 * warm-up drops, gives its place to a new one: its market is wished flat.
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
  /** Those with orders under way. */
  readonly #ordered = new Set<Market>();
  /** When each was wished, the oldest first. */
  readonly #wished = new Map<Market, number>();
  readonly #subscription = new Subscription();

  constructor(context: CountedContext, most: number) {
    this.#context = context;
    this.#most = most;
    for (const market of context.markets) {
      const holding = context
        .position(market)
        .subscribe((position) => this.#hold(market, position));
      const ordering = context.orders(market).subscribe(({ length }) => {
        if (length > 0) this.#ordered.add(market);
        else this.#ordered.delete(market);
      });
      this.#subscription.add(holding);
      this.#subscription.add(ordering);
    }
  }

  /** What passes of a wish, ahead of it the wish that gives way to it. */
  passing(wish: TargetIntent): TargetIntent[] {
    const kind: unknown = wish?.kind;
    if (kind !== 'target') {
      const what = `Cannot open at most ${this.#most} positions`;
      throw new StrategyError(`${what}: a wish is ${kind}, a target is wanted`);
    }
    const market = this.#context.markets.find(({ id }) => id === wish.market);
    // What goes to a market that the strategy has not is for risk to refuse.
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
    const taken = this.#held.union(this.#wished);
    return taken.has(market) || taken.size < this.#most;
  }

  #take(market: Market, wish: TargetIntent): TargetIntent[] {
    this.#wished.delete(market);
    this.#wished.set(market, this.#context.clock.now());
    return [wish];
  }

  /** The market that was wished first of those in which nothing is held, nor under way. */
  #idle(): Market | undefined {
    const nowMs = this.#context.clock.now();
    for (const [market, timeMs] of this.#wished) {
      // Orders of a wish of this very moment may not be known yet.
      const isIdle = timeMs < nowMs && !this.#held.has(market) && !this.#ordered.has(market);
      if (isIdle) return market;
    }
    return undefined;
  }

  #hold(market: Market, position: Position): void {
    if (isHeld(market, position)) this.#held.add(market);
    // What closed it, such as a stop, ended the wish for it.
    else if (this.#held.delete(market)) this.#wished.delete(market);
  }
}
