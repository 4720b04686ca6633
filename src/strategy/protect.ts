import { defer, filter, finalize, merge, type Observable, Subject, Subscription, tap } from 'rxjs';
import type { Market, Position, StandingWish, TargetIntent } from '../domain/index.ts';
import type { StrategyContext } from './context.ts';
import { StrategyError } from './errors.ts';
import { type ExitRules, type ExitTerms, exitTerms } from './exit-rules.ts';
import { PositionGuard } from './position-guard.ts';

/** What `protect` looks at of a strategy's context. */
export type ProtectedContext = Pick<
  StrategyContext,
  'markets' | 'clock' | 'depth' | 'position' | 'fills'
>;

/**
 * Passes targets and quotes through, and adds `target(market, 0)` when a rule closes the position:
 * by loss, profit, a price that came back, or time.
 *
 * Each book is checked against what closing would get: the best bid for a long position, the best
 * ask for a short one. A market of the context is watched once a wish names it or something is held
 * there: an order of an earlier run may fill after the start.
 *
 * After an exit a target for the closed side is held back until the source has wished something
 * else (flat, the other side or quotes) or `reenterAfterMs` has passed. Quotes would end the exit:
 * they are held back until it is through, and until `reenterAfterMs` has passed if it is given. A
 * target for the other side has five seconds to get there before an exit takes its place.
 *
 * Completes and fails with the source; nothing is watched after that.
 *
 * @throws {StrategyError} when a rule is not known or out of its bounds, or none closes anything.
 */
export function protect(
  context: ProtectedContext,
  rules: ExitRules,
): <Wish extends StandingWish>(source: Observable<Wish>) => Observable<Wish | TargetIntent> {
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
  readonly #positions = new Map<string, Position>();
  readonly #subscription = new Subscription();

  constructor(context: ProtectedContext, terms: ExitTerms) {
    this.#context = context;
    this.#terms = terms;
  }

  /** Watches each market as soon as something is held there. */
  watchHeld(): void {
    for (const market of this.#context.markets) {
      const held = this.#context.position(market);
      this.#subscription.add(held.subscribe((position) => this.#hold(market, position)));
    }
  }

  /** Whether a wish may pass; its market is watched from now on. */
  admit(wish: StandingWish): boolean {
    const kind: unknown = wish?.kind;
    if (kind !== 'target' && kind !== 'quotes') {
      throw new StrategyError(`Cannot protect: a wish is ${kind}, a target or quotes are wanted`);
    }
    // A market that is not the strategy's own is left to risk, which refuses it.
    return this.#guardOf(wish.market)?.admits(wish) ?? true;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  #hold(market: Market, position: Position): void {
    this.#positions.set(market.id, position);
    const guard = this.#guards.get(market.id);
    if (guard !== undefined) guard.hold(position);
    else if (position.amount.sign !== 0) this.#watch(market);
  }

  #guardOf(id: string): PositionGuard | undefined {
    const known = this.#guards.get(id);
    if (known !== undefined) return known;
    const market = this.#context.markets.find((own) => own.id === id);
    return market && this.#watch(market);
  }

  #watch(market: Market): PositionGuard {
    const { clock, depth, fills } = this.#context;
    const exit = (wish: TargetIntent): void => this.exits.next(wish);
    const guard = new PositionGuard({ market, terms: this.#terms, clock, exit });
    this.#guards.set(market.id, guard);
    this.#subscription.add(() => guard.close());
    // The position first: a book may come at once, and is checked against what is held.
    const position = this.#positions.get(market.id);
    if (position !== undefined) guard.hold(position);
    this.#subscription.add(depth(market).subscribe((book) => guard.judge(book)));
    this.#subscription.add(fills(market).subscribe((fill) => guard.trade(fill)));
    return guard;
  }
}
