import {
  defer,
  finalize,
  type MonoTypeOperatorFunction,
  merge,
  Subject,
  Subscription,
  tap,
  timer,
} from 'rxjs';
import type { Market, TargetIntent } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { StrategyError } from './errors.ts';
import { heldSide } from './held-side.ts';
import { target } from './intents.ts';
import { requireTarget } from './require-target.ts';

/** What `openWithin` looks at of a strategy's context. */
export type TimedContext = Pick<StrategyContext, 'markets' | 'clock' | 'position' | 'fills'>;

/**
 * Passes targets through, and gives up those that do not open or turn a position in time: if
 * nothing is held on a target's side `limitMs` milliseconds after it, because it was refused or
 * missed its price, its market is wished flat. Otherwise it would be tried on and might trade long
 * after its signal. A newer target of the market starts the time again.
 *
 * Completes and fails with the source; nothing is wished flat after that.
 *
 * @throws {StrategyError} when `limitMs` is no number above 0, or a wish is not a target.
 */
export function openWithin(
  context: TimedContext,
  limitMs: number,
): MonoTypeOperatorFunction<TargetIntent> {
  if (!(Number.isFinite(limitMs) && limitMs > 0)) {
    throw new StrategyError(`Cannot open within ${limitMs} ms: a number above 0 is wanted`);
  }
  return (source) =>
    defer(() => {
      const openings = new Openings(context, limitMs);
      const wishes = source.pipe(
        tap({
          next: (wish) => openings.note(wish),
          complete: () => openings.lapses.complete(),
        }),
      );
      return merge(openings.lapses, wishes).pipe(finalize(() => openings.close()));
    });
}

interface Opening {
  /** The side that is wished. */
  readonly side: number;
  readonly time: Subscription;
}

/** The targets that have opened nothing so far, by market. */
class Openings {
  readonly lapses = new Subject<TargetIntent>();
  readonly #context: TimedContext;
  readonly #limitMs: number;
  /** What is held: 1 is long, -1 short, 0 nothing. */
  readonly #sides = new Map<Market, number>();
  readonly #openings = new Map<Market, Opening>();
  readonly #subscription = new Subscription();

  constructor(context: TimedContext, limitMs: number) {
    this.#context = context;
    this.#limitMs = limitMs;
    for (const market of context.markets) {
      const sides = heldSide(context, market);
      this.#subscription.add(sides.subscribe((side) => this.#hold(market, side)));
    }
  }

  /** Starts the time of a target, in place of the one before it. */
  note(wish: TargetIntent): void {
    requireTarget(wish, `Cannot open within ${this.#limitMs} ms`);
    const market = this.#context.markets.find(({ id }) => id === wish.market);
    if (market === undefined) return;
    this.#end(market);
    const side = Math.sign(wish.position);
    if (side === 0 || side === this.#sides.get(market)) return;
    const time = timer(this.#limitMs, this.#context.clock).subscribe(() =>
      this.lapses.next(target(market, 0)),
    );
    this.#openings.set(market, { side, time });
  }

  close(): void {
    this.#subscription.unsubscribe();
    for (const market of this.#openings.keys()) this.#end(market);
  }

  #end(market: Market): void {
    this.#openings.get(market)?.time.unsubscribe();
    this.#openings.delete(market);
  }

  #hold(market: Market, side: number): void {
    if (side === this.#openings.get(market)?.side) this.#end(market);
    this.#sides.set(market, side);
  }
}
