import {
  type Intent,
  isFinal,
  type LiveOrder,
  type Market,
  type OrderIntent,
} from '../../domain/index.ts';
import { CODES } from '../../exchange/index.ts';
import { passing } from '../../kernel/index.ts';
import type { Clearance } from './clearance.ts';
import { type Difference, NOTHING } from './difference.ts';
import { LeastRest } from './least-rest.ts';
import { isOverdue, nextOverMs } from './live-order.ts';
import type { DeskOptions, DeskOwner } from './options.ts';
import { RefusalMemory, type RefusalTerms } from './refusals.ts';
import type { Slot } from './slot.ts';
import { Slots } from './slots.ts';
import { StandingQuotes } from './standing-quotes.ts';
import { TaggedOrders } from './tagged-orders.ts';
import { isTagged, kindOf, TARGET_TAG } from './tags.ts';
import { TargetPursuit } from './target-pursuit.ts';

/**
 * What one strategy wishes in one market, and which orders are missing for it.
 *
 * `quotes` and `target` are standing wishes; a new one of either replaces the standing one. A quote
 * that fills is done and comes back only with a new wish; one that ends otherwise is retried. An
 * `order` is a single attempt: once refused, sent back or cancelled, it is over.
 */
export class Desk {
  readonly strategy: string;
  readonly market: Market;
  /** The recent refusals of its orders. */
  readonly refusals: RefusalMemory;
  readonly #options: DeskOptions;
  /** Whether it has wished a target since the start, and whether a target or quotes. */
  #hasAimed = false;
  #hasStood = false;
  #plannedRevision = -1;
  #isPlanned = false;
  #missing = NOTHING;
  #isWoken = false;
  /** When it was planned last. Anything not due by then needs a look, even if it is due by now. */
  #plannedMs = Number.NEGATIVE_INFINITY;
  readonly #slots = new Slots();
  readonly #quotes: StandingQuotes;
  readonly #pursuit: TargetPursuit;
  readonly #tagged: TaggedOrders;
  readonly #leastRest: LeastRest;
  /** When the next IOC order should have ended. */
  #overMs = NEVER;
  /** When the first pause ends, as of the last round; infinite: nothing pauses. */
  #pausesUntilMs = NEVER;
  #nextMs = NEVER;

  constructor({ strategy, market }: DeskOwner, options: DeskOptions) {
    this.strategy = strategy;
    this.market = market;
    this.#options = options;
    this.refusals = new RefusalMemory(options.config.refusalRetryMs);
    const parts = { strategy, market, slots: this.#slots };
    this.#quotes = new StandingQuotes(parts, options);
    this.#pursuit = new TargetPursuit(parts, options);
    this.#tagged = new TaggedOrders(parts, options);
    this.#leastRest = new LeastRest(options.config.orderLifetimeMinMs);
  }

  /**
   * Whether a wish since the start decides about an order of an earlier run. Single orders are
   * independent of each other and of quotes; a target takes account of all orders that may fill.
   */
  hasDecided(order: LiveOrder): boolean {
    if (!isTagged(order)) return this.#hasStood;
    return this.#hasAimed || this.#tagged.hasDecided(order.tag);
  }

  /** The ledger's revision at the last plan: later changes give work. */
  get plannedRevision(): number {
    return this.#plannedRevision;
  }

  /**
   * Replaces the standing wish of that kind. `addsToStanding`: the intent is the standing wish
   * itself, of which risk now passes more; its standing part stays as it is. Default: false.
   */
  wish(intent: Intent, { addsToStanding = false } = {}): void {
    this.#isPlanned = false;
    switch (intent.kind) {
      case 'quotes':
        this.#hasStood = true;
        this.#pursuit.end();
        this.#quotes.wish(intent, { addsToStanding });
        return;
      case 'target':
        this.#hasAimed = this.#hasStood = true;
        this.#slots.quotes = [];
        this.#pursuit.begin(intent);
        return;
      case 'order':
        this.#wishTagged(intent);
        return;
      case 'cancel':
        this.#tagged.takeBack(intent.tag);
        this.#pursuit.tookBack();
        return;
      default:
        intent satisfies never;
    }
  }

  #wishTagged(intent: OrderIntent): void {
    const slot = this.#tagged.wish(intent);
    if (slot === undefined) return;
    if (slot.clientOrderId !== undefined) this.#pursuit.tookUp(slot.clientOrderId);
    this.#pursuit.tookBack();
  }

  /** Takes up a refused wish: it is not pursued, but decides about orders of an earlier run. */
  decide(intent: Intent): void {
    this.#isPlanned = false;
    if (intent.kind === 'order') this.#tagged.refuse(intent);
    else this.#hasAimed = this.#hasStood = true;
  }

  /** Whether an order with that tag is wished or live. */
  hasTagged(tag: string): boolean {
    return this.#tagged.has(tag);
  }

  /** Drops all wishes: what rests is cancelled. */
  withdraw(): void {
    this.#hasAimed = this.#hasStood = true;
    this.#isPlanned = false;
    this.#pursuit.withdraw();
    this.#slots.clear();
  }

  /**
   * Whether any of its live orders is to rest on. `unwelcome`: orders that risk sends away, by our
   * ids.
   */
  keepsAny(unwelcome: ReadonlyMap<string, string>): boolean {
    const { orders, mayRest } = this.#options;
    for (const { clientOrderId } of this.#slots.all()) {
      if (clientOrderId === undefined || unwelcome.has(clientOrderId)) continue;
      const order = orders.get(clientOrderId);
      if (order !== undefined && !isFinal(order) && !isOverdue(order, this.#options)) return true;
    }
    for (const order of orders.liveOf(this.strategy, this.market.id)) {
      const { clientOrderId } = order;
      if (unwelcome.has(clientOrderId)) continue;
      if (mayRest(order) || this.#leastRest.holds(clientOrderId)) return true;
    }
    return false;
  }

  /** The cancels and orders that must leave, as of the last plan. */
  get missing(): Difference {
    return this.#missing;
  }

  /** Whether its wishes are unchanged since the last plan. If not, the next round plans anew. */
  get isPlanned(): boolean {
    return this.#isPlanned;
  }

  /** Decides which own orders, of any strategy, make way for its target's order. */
  get clearance(): Clearance {
    return this.#pursuit.clearance;
  }

  /** Whether an order beyond flat was refused as a whole: a new plan leads to flat at once. */
  get isTurnRefused(): boolean {
    return this.#pursuit.isTurnRefused;
  }

  /** Something happened since the plan: see `Desks.wake`. */
  wake(): void {
    this.#isWoken = true;
  }

  /** Works out what must leave now, after taking up how its orders ended. */
  plan(nowMs: number): void {
    this.#isWoken = false;
    const { revision } = this.#options.orders;
    if (revision !== this.#plannedRevision) this.#settle();
    this.#plannedRevision = revision;
    this.#plannedMs = nowMs;
    this.#missing = this.#work();
    this.#isPlanned = true;
  }

  #work(): Difference {
    const live = this.#options.orders.liveOf(this.strategy, this.market.id);
    const tagged = live.some(isTagged) ? live.filter(isTagged) : NO_ORDERS;
    const standing = tagged.length === 0 ? live : live.filter((order) => !isTagged(order));
    if (standing.some((order) => kindOf(order) === 'target')) this.#crowdOut(tagged);
    const { readLagMs } = this.#options.config;
    this.#overMs = nextOverMs(live, { sinceMs: this.#plannedMs, readLagMs });
    const plan =
      this.#pursuit.plan({ standing, tagged }, this.#plannedMs) ?? this.#quotes.plan(standing);
    const rest = this.#tagged.plan(tagged);
    if (rest === NOTHING) return this.#due(plan);
    return this.#due({
      cancels: [...plan.cancels, ...rest.cancels],
      places: [...plan.places, ...rest.places],
    });
  }

  /** The part of a plan whose time has come. */
  #due(plan: Difference): Difference {
    if (plan === NOTHING) {
      this.#leastRest.forget();
      return plan;
    }
    const nowMs = this.#plannedMs;
    const places = passing(plan.places, (slot) => slot.notBeforeMs <= nowMs);
    const { quotes } = this.#slots;
    const cancels = this.#leastRest.leaving(plan.cancels, { quotes, places, nowMs });
    return { cancels: passing(cancels, (order) => !this.#options.mayRest(order)), places };
  }

  /**
   * Whether it has anything to do: something must leave now or later, or happened since the plan.
   */
  get isBusy(): boolean {
    const { cancels, places } = this.#missing;
    return this.#isWoken || cancels.length > 0 || places.length > 0 || this.#nextMs < NEVER;
  }

  /** A round is over: works out until when its pauses last and when to look again. */
  rest(): void {
    const { lookAgainMs } = this.#pursuit;
    const looksMs = lookAgainMs > this.#plannedMs ? lookAgainMs : NEVER;
    this.#pausesUntilMs = Math.min(looksMs, this.#slots.pausesUntilMs(this.#plannedMs));
    this.#nextMs = Math.min(this.#overMs, this.#leastRest.nextMs, this.#pausesUntilMs);
  }

  /** When to plan it again even if nothing happens; infinite: only after an event. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** Whether anything pauses, or would if it were wished: see `endPauses`. */
  get isPausing(): boolean {
    return this.#pausesUntilMs < NEVER || this.#pursuit.isPaced;
  }

  /** The slot's order left. `isPart`: risk let only a part pass. */
  placed(slot: Slot, clientOrderId: string, { isPart = false } = {}): void {
    slot.take(clientOrderId);
    this.refusals.clear();
    if (slot.tag !== TARGET_TAG) return;
    this.#pursuit.placed(clientOrderId, { isPart });
    const live = this.#options.orders.liveOf(this.strategy, this.market.id);
    this.#crowdOut(live.filter(isTagged));
  }

  /** Gives up single orders yet to leave for which the target's order leaves nothing to trade. */
  #crowdOut(tagged: readonly LiveOrder[]): void {
    const { waiting } = this.#tagged;
    if (waiting.length === 0) return;
    for (const slot of this.#pursuit.crowdedOut(waiting, tagged)) this.#tagged.giveUp(slot);
  }

  /** The slot's order was refused. Returns whether that is the first time since it was wished. */
  refused(slot: Slot, terms: RefusalTerms = {}): boolean {
    const { untilMs } = terms;
    this.#slots.dropTagged(slot);
    const { refusalRetryMs, targetRetryMs } = this.#options.config;
    const pace = this.#pursuit.isWayOut(slot) ? { mostMs: targetRetryMs } : {};
    if (untilMs === undefined) slot.refuse(this.#nowMs(), refusalRetryMs, pace);
    else slot.hold(untilMs, this.#nowMs() + refusalRetryMs);
    const wish = this.#pursuit.refused(slot, terms) ?? slot;
    const isFirst = !wish.isRefused;
    wish.isRefused = true;
    return isFirst;
  }

  /** The order is being cancelled: its end does not count as a failed try. */
  sentAway(clientOrderId: string): void {
    this.#slots.sentAway(clientOrderId);
  }

  /**
   * Something changed that risk looks at: refused orders may be retried `pauseMs` after their
   * refusal. Returns whether that brings any slot's time forward. Default: the configured pause.
   */
  reconsider(pauseMs = this.#options.config.refusalRetryMs): boolean {
    return this.#slots.reconsider(pauseMs);
  }

  /**
   * There are new prices to trade at: ends the pauses that began before now. Returns whether there
   * were any, or a target waits for a price.
   */
  endPauses(): boolean {
    const isLooking = this.#pursuit.lookAgainMs < NEVER;
    this.refusals.endPause();
    this.#pursuit.endPause();
    return this.#slots.endPauses(this.#nowMs()) || isLooking;
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }

  #settle(): void {
    const { orders, config } = this.#options;
    for (const slot of this.#slots.all()) {
      if (slot.clientOrderId === undefined) continue;
      const order = orders.get(slot.clientOrderId);
      if (order !== undefined && !isFinal(order)) continue;
      if (slot === this.#slots.pursuing) {
        this.#slots.pursuing = undefined;
        continue;
      }
      const retryFree = order?.status === 'rejected' && order.code === CODES.tooFrequent;
      slot.settle(order, { nowMs: this.#nowMs(), market: this.market, config, retryFree });
      this.#slots.dropTagged(slot);
    }
  }
}

const NEVER = Number.POSITIVE_INFINITY;
const NO_ORDERS: readonly LiveOrder[] = [];
