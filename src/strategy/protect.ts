import {
  defer,
  filter,
  finalize,
  type MonoTypeOperatorFunction,
  merge,
  Subject,
  Subscription,
  take,
  tap,
} from 'rxjs';
import type { Market, TargetIntent } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { StrategyError } from './errors.ts';
import { type ExitRules, type ExitTerms, exitTerms } from './exit-rules.ts';
import { PositionGuard } from './position-guard.ts';

/** What `protect` looks at of a strategy's context. */
export type ProtectedContext = Pick<StrategyContext, 'markets' | 'clock' | 'depth' | 'position'>;

/**
 * Passes targets through, and adds `target(market, 0)` when a rule says that what is held is to be
 * closed: by loss, profit, a price that came back, or time.
 *
 * A position is judged with each book, by what closing would get: the best bid of a long one, the
 * best ask of a short one. It watches the markets that the targets name, and those in which the
 * strategy holds something when it starts. After an exit a wish for the side that was closed is held
 * back until the source has wished something else, flat or the other side, or `reenterAfterMs` has
 * passed. A wish for the other side has five seconds to get there before an exit takes its place.
 *
 * It completes and fails as the source does: nothing is watched any more then.
 *
 * @throws {StrategyError} when a rule is not known or out of its bounds, or none closes anything.
 */
export function protect(
  context: ProtectedContext,
  rules: ExitRules,
): MonoTypeOperatorFunction<TargetIntent> {
  const terms = exitTerms(rules);
  return (source) =>
    defer(() => {
      const guards = new Guards(context, terms);
      const wishes = defer(() => {
        guards.watchHeld();
        return source;
      }).pipe(
        filter((wish) => guards.admit(wish)),
        tap({ complete: () => guards.exits.complete() }),
      );
      return merge(guards.exits, wishes).pipe(finalize(() => guards.close()));
    });
}

/** The guards of all markets of a strategy. */
class Guards {
  readonly exits = new Subject<TargetIntent>();
  readonly #context: ProtectedContext;
  readonly #terms: ExitTerms;
  readonly #guards = new Map<string, PositionGuard>();
  readonly #subscription = new Subscription();

  constructor(context: ProtectedContext, terms: ExitTerms) {
    this.#context = context;
    this.#terms = terms;
  }

  /** Begins to watch what is held already. */
  watchHeld(): void {
    for (const market of this.#context.markets) {
      const held = this.#context.position(market).pipe(
        take(1),
        filter(({ amount }) => amount.sign !== 0),
      );
      this.#subscription.add(held.subscribe(() => this.#guardOf(market.id)));
    }
  }

  /** Whether a wish may pass; its market is watched from now on. */
  admit(wish: TargetIntent): boolean {
    const kind: unknown = wish?.kind;
    if (kind !== 'target') {
      throw new StrategyError(`Cannot protect: a wish is ${kind}, a target is wanted`);
    }
    // What goes to a market that the strategy has not is for risk to refuse.
    return this.#guardOf(wish.market)?.admits(wish) ?? true;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  #guardOf(id: string): PositionGuard | undefined {
    const known = this.#guards.get(id);
    if (known !== undefined) return known;
    const market = this.#context.markets.find((own) => own.id === id);
    return market && this.#watch(market);
  }

  #watch(market: Market): PositionGuard {
    const { clock, position, depth } = this.#context;
    const exit = (wish: TargetIntent): void => this.exits.next(wish);
    const guard = new PositionGuard({ market, terms: this.#terms, clock, exit });
    this.#guards.set(market.id, guard);
    this.#subscription.add(() => guard.close());
    // The position first: a book that came at once would be judged by what is held.
    this.#subscription.add(position(market).subscribe((held) => guard.hold(held)));
    this.#subscription.add(depth(market).subscribe((book) => guard.judge(book)));
    return guard;
  }
}
