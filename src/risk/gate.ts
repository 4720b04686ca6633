import {
  DATA_STREAMS,
  type Intent,
  type LiveOrder,
  type Refusal,
  type TargetIntent,
  tagOfOrder,
} from '../domain/index.ts';
import { SECOND_MS } from '../kernel/index.ts';
import { type Approved, type OrderDraft, seal } from './approved.ts';
import { checksOf } from './checks/index.ts';
import { RiskDay } from './day.ts';
import { watchExecutions } from './execution-watch.ts';
import { isExit, isExitWish, LEFT_TO_ORDERS } from './exits.ts';
import { FreeBalances } from './free-balances.ts';
import { LossWatch } from './loss-watch.ts';
import { RuleBook } from './market-rules.ts';
import { type Cut, isCut, OrderChecks } from './order-checks.ts';
import { OrderPace } from './order-pace.ts';
import type { Dismissal, Verdict } from './ports.ts';
import {
  type Ask,
  type Check,
  IntentReview,
  OrderReview,
  ReviewWithout,
  type RiskOptions,
  type RiskView,
  refusalBy,
  type WishingIntent,
} from './review.ts';
import { roomOf } from './room.ts';
import { StaleWatch } from './stale-watch.ts';
import { nothingIn, trimQuotes } from './trimming.ts';
import { unwelcomeFromMs, unwelcomeOrders, whyUnwelcome } from './unwelcome.ts';

/**
 * Checks not asked whether an exit could leave if there were room: it has no id yet, and its amount
 * is already cut down to what the balance will pay for.
 */
const NOT_OF_ROOM: ReadonlySet<string> = new Set(['clientOrderId', 'balance']);
/** How often losses are checked between orders. */
const LOSS_LOOK_MS = SECOND_MS;

/**
 * The gate that everything passes on its way to the exchange: a wish when it is made, and each of
 * its orders again when it leaves.
 *
 * - Quotes: levels are reviewed from the market outwards; those that pass replace the former wish.
 * - A refused target ends the former wish; the position stays. If it is on the other side of flat,
 *   the part to flat is pursued, provided that passes.
 * - A refused order does not leave.
 * - An exit for which limits leave too little room passes as a wish: its orders are cut down to the
 *   room as they leave.
 * - A wish that only withdraws (a cancel, quotes without any quote) passes in every market of the
 *   deployment.
 *
 * An order is reviewed before the ledger knows it, and must be in the ledger before the next one is
 * reviewed. The caller publishes refusals. Only the cut of an exit is published by the gate, as the
 * rest passes.
 */
export class RiskGate {
  readonly #view: RiskView;
  readonly #marketsOf = new Map<string, ReadonlySet<string>>();
  readonly #checks: readonly Check[];
  readonly #ofIntents: readonly { readonly check: Check; readonly ask: Ask }[];
  readonly #ofOrders: OrderChecks;
  /** The checks for an exit that asks for room and does not leave yet. */
  readonly #ofRoom: OrderChecks;
  readonly #free: FreeBalances;
  readonly #losses: LossWatch;
  readonly #pace: OrderPace;
  readonly #staleness: StaleWatch;
  /** When losses were last checked between orders. */
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(options: RiskOptions) {
    const rules = new RuleBook(options.markets, options.config);
    const day = new RiskDay(options.clock);
    const view: RiskView = { ...options, rules, day, marketsOf: this.#marketsOf };
    this.#view = view;
    this.#free = new FreeBalances(view);
    this.#losses = new LossWatch(view);
    this.#pace = new OrderPace(options.config);
    const watches = { balances: this.#free, losses: this.#losses, pace: this.#pace };
    const checks = checksOf(view, watches);
    this.#checks = checks;
    this.#ofIntents = checks.flatMap((check) => (check.ask ? { check, ask: check.ask } : []));
    this.#ofOrders = new OrderChecks(checks, this.#free);
    const ofRoom = checks.filter(({ code }) => !NOT_OF_ROOM.has(code));
    this.#ofRoom = new OrderChecks(ofRoom, this.#free);
    this.#staleness = new StaleWatch(view);
    watchExecutions(view);
    // The market may move against a position while no order is asked for.
    for (const kind of DATA_STREAMS) view.bus.listen(kind, () => this.#lookAgain());
  }

  /** Restricts a strategy to these markets. Default: it may trade all. */
  confine(strategy: string, markets: ReadonlySet<string>): void {
    this.#marketsOf.set(strategy, markets);
  }

  /** Whether any check needs the market's trades. */
  hearsTrades(market: string): boolean {
    const limits = this.#view.rules.of(market)?.limits;
    return limits !== undefined && this.#checks.some(({ hearsTrades }) => hearsTrades?.(limits));
  }

  /** Checks a wish when it is made. */
  intent(strategy: string, intent: Intent): Verdict {
    const view = this.#view;
    const rules = view.rules.of(intent.market);
    if (rules === undefined) {
      return { approved: undefined, refusals: [unknownMarket(intent.market)] };
    }
    if (intent.kind === 'cancel') return passed(intent);
    this.#losses.look();
    const refusalOf = (wish: WishingIntent) =>
      this.#refusalOf(new IntentReview({ view, rules, strategy }, wish));
    const refusal = refusalOf(intent);
    if (refusal === undefined) return passed(intent);
    if (intent.kind === 'order') return { approved: undefined, refusals: [refusal] };
    if (intent.kind === 'target') {
      const flat = this.#legToFlat(intent, { strategy, refusal });
      const stands = flat && refusalOf(flat) === undefined ? flat : nothingIn(intent.market);
      return { approved: seal(stands), refusals: [refusal] };
    }
    const held = view.positions.position(intent.market, strategy).amount.toNumber();
    const { quotes, refusals } = trimQuotes(intent, refusalOf, { held });
    return { approved: seal(quotes), refusals };
  }

  /** Checks one order when its request leaves, against position plus all resting and in flight. */
  order(draft: OrderDraft): Approved<OrderDraft> | Refusal {
    const view = this.#view;
    const rules = view.rules.of(draft.market);
    if (rules === undefined) return unknownMarket(draft.market);
    this.#losses.look();
    const review = new OrderReview({ view, rules, strategy: draft.strategy }, draft);
    const answer = this.#ofOrders.answer(review);
    if (answer === undefined) return this.#passed(review);
    return isCut(answer) ? this.#passedInPart(answer) : answer;
  }

  /**
   * The orders that must end before an exit without room may leave: see `roomOf`. None if nothing
   * of it could leave even then, or if it is no exit.
   */
  roomTakers(
    terms: Omit<OrderDraft, 'clientOrderId'>,
    givesWay: (order: LiveOrder) => boolean,
  ): readonly LiveOrder[] {
    const view = this.#view;
    const { market, strategy } = terms;
    const rules = view.rules.of(market);
    if (rules === undefined) return NONE;
    const review = new OrderReview({ view, rules, strategy }, { ...terms, clientOrderId: '' });
    if (!isExit(review)) return NONE;
    const { takers, draft } = roomOf(review, { balances: this.#free, givesWay });
    const gone = new Set(takers);
    // The whole exit is judged first, then the part that the balance pays for.
    const leaves = (part: OrderDraft): boolean =>
      this.#ofRoom.letsLeave(new ReviewWithout(review, part, gone));
    return leaves(review.draft) && leaves(draft) ? takers : NONE;
  }

  /**
   * The part to flat of a refused target on the other side of flat; undefined for any other target,
   * and for one of wrong shape.
   */
  #legToFlat(
    intent: TargetIntent,
    { strategy, refusal }: { readonly strategy: string; readonly refusal: Refusal },
  ): TargetIntent | undefined {
    const { amount } = this.#view.positions.position(intent.market, strategy);
    const turns = Math.sign(intent.position) * amount.sign < 0;
    return turns && refusal.code !== 'shape' ? { ...intent, position: 0 } : undefined;
  }

  /** When the pace of orders lets the strategy's next one pass; now if it does at once. */
  paceOpensMs(strategy: string): number {
    return this.#pace.opensMs(strategy, this.#view.clock.now());
  }

  /** The cancel of an order: cancels always pass. */
  cancel(order: LiveOrder): Approved<LiveOrder> {
    this.#free.cancelLeaves(order);
    return seal(order);
  }

  /**
   * The live orders that must not stay: all while HALTED; always those in a market whose data are
   * stale for too long; of those that could open or turn a position, all while REDUCING or in a
   * blackout, else those beyond the price bounds. To be asked at least every second.
   */
  unwelcome(): readonly LiveOrder[] {
    return unwelcomeOrders(this.#view, this.#staleness.overdue());
  }

  /**
   * When time alone may next make live orders unwelcome, by a blackout or by stale data,
   * milliseconds since the epoch; infinite: never.
   */
  unwelcomeFromMs(): number {
    return Math.min(unwelcomeFromMs(this.#view), this.#staleness.nextMs());
  }

  /** Why an unwelcome order must not stay. */
  whyUnwelcome(order: LiveOrder): Dismissal {
    return whyUnwelcome(this.#view, { order, stale: this.#staleness.overdue() });
  }

  #passed(review: OrderReview): Approved<OrderDraft> {
    this.#ofOrders.passed(review);
    return seal(review.draft);
  }

  /** Lets a part of an exit pass, and publishes a refusal for the rest. */
  #passedInPart({ review, refusal }: Cut): Approved<OrderDraft> {
    const { market, strategy, tag, amount } = review.draft;
    const time = review.nowMs;
    const observed = `${refusal.observed}, of which ${amount} leave`;
    const told = { ...refusal, observed };
    this.#view.bus.publish({
      kind: 'refusal',
      time,
      market,
      strategy,
      ...tagOfOrder(tag),
      left: amount,
      refusal: told,
    });
    return this.#passed(review);
  }

  #refusalOf(review: IntentReview): Refusal | undefined {
    for (const { check, ask } of this.#ofIntents) {
      const objection = ask(review);
      if (objection === undefined) continue;
      if (!LEFT_TO_ORDERS.has(check.code) || !isExitWish(review))
        return refusalBy(check, objection);
    }
    return undefined;
  }

  #lookAgain(): void {
    const nowMs = this.#view.clock.now();
    if (nowMs - this.#lookedMs < LOSS_LOOK_MS) return;
    this.#lookedMs = nowMs;
    this.#losses.look();
  }
}

const NONE: readonly LiveOrder[] = [];

function passed(intent: Intent): Verdict {
  return { approved: seal(intent), refusals: [] };
}

function unknownMarket(market: string): Refusal {
  const limit = 'a market of this deployment';
  return { code: 'unknownMarket', limit, observed: market, scope: 'market' };
}
