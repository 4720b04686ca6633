import { defer, filter, finalize, type MonoTypeOperatorFunction, Subscription } from 'rxjs';
import type { TargetIntent } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { StrategyError } from './errors.ts';
import { isHeld } from './is-held.ts';

/**
 * Passes targets through, and leaves out those that would open a position in more than `most` markets
 * at once. A market counts from its wish until it is flat again, or is wished flat before anything of
 * it was held.
 *
 * A wish that is left out is gone: the source makes it anew if it still wants it once there is room.
 *
 * @throws {StrategyError} when `most` is not whole and positive, or a wish is not a target.
 */
export function openAtMost(
  context: Pick<StrategyContext, 'markets' | 'position'>,
  most: number,
): MonoTypeOperatorFunction<TargetIntent> {
  if (!Number.isInteger(most) || most < 1) {
    throw new StrategyError(
      `Cannot open at most ${most} positions: a whole number of at least 1 is wanted`,
    );
  }
  return (source) =>
    defer(() => {
      const places = new Places(context);
      return source.pipe(
        filter((wish) => places.admits(wish, most)),
        finalize(() => places.close()),
      );
    });
}

/** The markets in which something is held or wished. */
class Places {
  readonly #held = new Set<string>();
  readonly #wished = new Set<string>();
  readonly #subscription = new Subscription();

  constructor({ markets, position }: Pick<StrategyContext, 'markets' | 'position'>) {
    for (const market of markets) {
      const changes = position(market).subscribe((held) =>
        this.#hold(market.id, isHeld(market, held)),
      );
      this.#subscription.add(changes);
    }
  }

  admits(wish: TargetIntent, most: number): boolean {
    const kind: unknown = wish?.kind;
    if (kind !== 'target') {
      throw new StrategyError(
        `Cannot open at most ${most} positions: a wish is ${kind}, a target is wanted`,
      );
    }
    const { market, position } = wish;
    if (position === 0) return this.#wished.delete(market) || true;
    const taken = this.#held.union(this.#wished);
    if (!taken.has(market) && taken.size >= most) return false;
    this.#wished.add(market);
    return true;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  #hold(market: string, holds: boolean): void {
    if (holds) this.#held.add(market);
    // What closed it, such as a stop, ended the wish for it.
    else if (this.#held.delete(market)) this.#wished.delete(market);
  }
}
