import type { Subscription } from 'rxjs';
import type { Booking, Depth, LiveOrder, Side, TargetIntent } from '../../domain/index.ts';
import { Decimal } from '../../kernel/index.ts';
import { flatPosition, foldBooking } from '../../ledger/index.ts';
import { givingWay, mayBeFilling } from './beside-target.ts';
import { cancelsOf, type Difference, NOTHING } from './difference.ts';
import { LastOrder } from './last-order.ts';
import { isCancellable, isInDoubt, isOverdue } from './live-order.ts';
import { isExitOf, withoutOwn } from './obstacles.ts';
import type { DeskOptions, DeskParts } from './options.ts';
import type { RefusalTerms } from './refusals.ts';
import { givesRoom } from './room.ts';
import { Slot, type SlotTerms } from './slot.ts';
import { isTagged, kindOf, kindOfTag } from './tags.ts';
import { isBeyondFlat, type TargetSituation, targetTerms, wayOut } from './target.ts';
import { TargetWish } from './target-wish.ts';

/** The order that is to leave next. */
interface NextOrder {
  readonly situation: TargetSituation;
  readonly terms: SlotTerms;
  readonly nowMs: number;
}

/** The strategy's live orders in the market. */
export interface OwnOrders {
  /** Those of its quotes and its target. */
  readonly standing: readonly LiveOrder[];
  /** Those by a tag. */
  readonly tagged: readonly LiveOrder[];
}

/** The strategy's orders beside which a target is pursued: none of its quotes or target that is known. */
interface Beside extends Pick<OwnOrders, 'tagged'> {
  /** Those of its quotes and its target in doubt. */
  readonly doubtful: readonly LiveOrder[];
  readonly nowMs: number;
}

/** How one strategy's target in one market is pursued: an order at a time, each a pause after the last. */
export class TargetPursuit {
  readonly #parts: DeskParts;
  readonly #options: DeskOptions;
  #target: TargetWish | undefined;
  #last: LastOrder | undefined;
  #bookings: Subscription | undefined;

  constructor(parts: DeskParts, options: DeskOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Whether own orders kept the target's order from leaving since it was planned last. */
  get isObstructed(): boolean {
    return this.#target?.way.isBlocked === true || this.#target?.room.isShort === true;
  }

  /** Whether a quote has to wait until the order towards the target is past: see `Way`. */
  keepsOut(quote: SlotTerms): boolean {
    return this.#target?.way.keepsOut(quote) === true;
  }

  /** Whether what opens on that side has to wait until it is past: see `Room`. */
  takesRoom(side: Side): boolean {
    return this.#target?.room.isKeptOn(side) === true;
  }

  /** When a target that can't be pursued now is looked at again; infinite: it is not waited for. */
  get lookAgainMs(): number {
    return this.#target?.lookAgainMs ?? NEVER;
  }

  /** Takes up a target in place of the one before. */
  begin(intent: TargetIntent): void {
    this.#bookings ??= this.#options.orders.bookings.subscribe((booking) => this.#book(booking));
    const former = this.#target;
    if (!former?.isTo(intent.position)) this.#parts.slots.pursuing = undefined;
    this.#target = new TargetWish(intent, { former, wishedMs: this.#nowMs() });
    this.#takeBack(this.#target);
  }

  /** Orders by a tag were taken back: a target that was wished at that moment does not go by them. */
  tookBack(): void {
    const target = this.#target;
    if (target?.wishedMs === this.#nowMs()) this.#takeBack(target);
  }

  /** An order by a tag is wished again, as it lives. */
  tookUp(clientOrderId: string): void {
    this.#target?.takeUp(clientOrderId);
  }

  /** No target is wished any more; the pause behind its last order counts, if it is wished again. */
  end(): void {
    this.#target = undefined;
    this.#parts.slots.pursuing = undefined;
  }

  /** Forgets everything. */
  withdraw(): void {
    this.end();
    this.#last = undefined;
  }

  /** The order towards it left; `isPart`: cut down. */
  placed(clientOrderId: string, { isPart = false } = {}): void {
    if (this.#target === undefined) return;
    const { intent, way, room } = this.#target;
    way.placed(this.#depth());
    room.placed(isPart);
    this.#last = new LastOrder({ clientOrderId, position: intent.position }, this.#options);
  }

  /**
   * The target whose order may not leave; undefined where the slot is none of it. What the pace of
   * orders alone holds goes the way that was cleared for it a moment later.
   */
  refused(
    slot: Slot,
    { untilMs, isCrossed = false, lacks }: RefusalTerms,
  ): { isRefused: boolean } | undefined {
    if (slot !== this.#parts.slots.pursuing) return undefined;
    const target = this.#target;
    if (target === undefined) return undefined;
    const { way, room } = target;
    if (untilMs === undefined) way.refused(isCrossed, this.#nowMs());
    room.refused({ lacks, isSoon: untilMs !== undefined || isCrossed });
    target.stopsAtFlat = true;
    return target;
  }

  /** Whether the slot is of an order towards the target that shrinks what is held. */
  isWayOut(slot: Slot): boolean {
    const { strategy, market, slots } = this.#parts;
    if (slot !== slots.pursuing) return false;
    const { sign } = this.#options.positions.position(market.id, strategy).amount;
    return sign === (slot.side === 'sell' ? 1 : -1);
  }

  /** Whether the next order pauses behind the last, were it to leave. */
  get isPaced(): boolean {
    return this.#last?.isPaced === true;
  }

  /** There is something new to be met: the next order does not pause behind one that has ended. */
  endPause(): void {
    this.#last?.endPause(this.#nowMs());
    this.#target?.way.endPause();
  }

  /**
   * What is missing for the target as of `nowMs`; undefined: none is wished. No order leaves while
   * other standing ones, or such as give way to it, are on their way out. Those in doubt may stay so
   * for good: they hold back what opens alone, see `wayOut`.
   */
  plan({ standing, tagged }: OwnOrders, nowMs: number): Difference | undefined {
    const target = this.#target;
    if (target === undefined) return undefined;
    const told = standing.filter((order) => !isInDoubt(order));
    if (told.length === 0) return this.#pursue(target, { tagged, doubtful: standing, nowMs });
    const leaving = told.filter(
      (order) => kindOf(order) !== 'target' || isOverdue(order, this.#options),
    );
    return leaving.length === 0 ? NOTHING : cancelsOf(leaving);
  }

  /**
   * Of orders by a tag that are to leave those that its order leaves no room for, as it leaves or is
   * on its way: see `givingWay`. They would trade what it trades, once more.
   */
  crowdedOut(waiting: readonly Slot[], tagged: readonly LiveOrder[]): readonly Slot[] {
    if (this.#target === undefined) return [];
    const { market, held, wanted } = this.#situationOf(this.#target, tagged);
    const side = wanted.compare(held) < 0 ? 'sell' : 'buy';
    const staying = tagged.filter((order) => !mayBeFilling(order));
    return givingWay(waiting, { market, side, held, wanted, staying });
  }

  #pursue(target: TargetWish, { tagged, doubtful, nowMs }: Beside): Difference {
    const { slots } = this.#parts;
    const { config, mayRest } = this.#options;
    const { intent } = target;
    const whole = this.#situationOf(target, tagged);
    const situation =
      doubtful.length === 0 ? this.#nextLeg(target, whole) : wayOut(whole, doubtful);
    if (situation === undefined) return nothingFor(target);
    const terms = targetTerms(intent, situation);
    target.isReached = terms === 'reached' && situation.wanted === target.wanted;
    if (target.isReached) target.stopsAtFlat = false;
    target.lookAgainMs = terms === 'blocked' ? nowMs + config.targetRetryMs : NEVER;
    if (typeof terms === 'string') {
      slots.pursuing = undefined;
      return nothingFor(target);
    }
    const resting = tagged.filter((order) => !mayBeFilling(order) && !mayRest(order));
    const leaving = givingWay(resting, { ...situation, side: terms.side });
    if (leaving.length > 0) return cancelsOf(leaving);
    const takers = this.#takers(target, { situation, terms, nowMs });
    const { way, room } = target;
    way.judge(nowMs, config.targetRetryMs);
    if (way.isBlocked) return withCancels(takers, this.#clear(target, { situation, terms, nowMs }));
    const slot = this.#slotOf(target, way.along(terms, this.#depth()));
    if (room.isFreed) slot.notBeforeMs = nowMs;
    return withCancels(takers, { cancels: [], places: [slot] });
  }

  /**
   * Of a way beyond flat the part to flat, once an order that goes all of it was refused, or where
   * nothing may be opened; then the rest.
   */
  #nextLeg({ intent, stopsAtFlat }: TargetWish, whole: TargetSituation): TargetSituation {
    if (!isBeyondFlat(whole)) return whole;
    const side = whole.held.sign > 0 ? 'sell' : 'buy';
    if (!stopsAtFlat && this.#options.mayOpen(this.#parts, side)) return whole;
    const toFlat = { ...whole, wanted: Decimal.ZERO };
    return targetTerms(intent, toFlat) === 'reached' ? whole : toFlat;
  }

  #situationOf(target: TargetWish, tagged: readonly LiveOrder[]): TargetSituation {
    const { strategy, market } = this.#parts;
    const { orders, positions, prices } = this.#options;
    const held = positions.position(market.id, strategy).amount;
    const fee = this.#lastOf(target)?.baseFee ?? Decimal.ZERO;
    const filling = tagged.filter(mayBeFilling);
    const live = orders.live(market.id);
    return { market, wanted: target.wanted, held, filling, fee, prices, live };
  }

  /** What takes the room of its exit. */
  #takers({ room }: TargetWish, { situation, terms }: NextOrder): readonly LiveOrder[] {
    const { gate, mayRest } = this.#options;
    const { strategy } = this.#parts;
    if (!isExitOf(terms, situation.held)) room.leave();
    const draft = { ...terms, strategy, market: situation.market.id };
    const givesWay = (order: LiveOrder): boolean => givesRoom(order, { strategy, mayRest });
    return room.clear(terms.side, () => gate.roomTakers(draft, givesWay));
  }

  /** Has own quotes leave that are in the way; once they have, the order waits no longer. */
  #clear(target: TargetWish, { situation, terms, nowMs }: NextOrder): Difference {
    const { held, live } = situation;
    const { prices, config, mayRest } = this.#options;
    const { intent, way } = target;
    const depth = this.#depth();
    const others = depth && withoutOwn(depth, live);
    const book = { depth: () => others, last: (id: string) => prices.last(id) };
    const furthest = targetTerms(intent, { ...situation, live: [], prices: book });
    const obstacles = way.clear({ held, live, mayRest, furthest, depth });
    const slot = this.#slotOf(target, way.along(terms, depth));
    if (obstacles.length > 0) {
      target.lookAgainMs = nowMs + config.targetRetryMs;
      return cancelsOf(obstacles);
    }
    if (way.isCleared) slot.notBeforeMs = nowMs;
    return { cancels: [], places: [slot] };
  }

  #slotOf(target: TargetWish, terms: SlotTerms): Slot {
    const { slots } = this.#parts;
    const former = slots.pursuing;
    if (former?.isEmpty && former.equals(terms)) return former;
    const slot = new Slot(terms);
    if (former !== undefined) slot.inherit(former);
    slots.pursuing = slot;
    this.#lastOf(target)?.holdBack(slot);
    return slot;
  }

  /** The target does not go by the live orders by a tag that are not wished any more. */
  #takeBack(target: TargetWish): void {
    const { strategy, market, slots } = this.#parts;
    for (const order of this.#options.orders.liveOf(strategy, market.id)) {
      if (isTagged(order) && !slots.holds(order)) target.takeBack(order);
    }
  }

  /** Takes up what a fill or a late fee of the strategy means for the target. */
  #book(booking: Booking): void {
    const { strategy, market } = this.#parts;
    if (booking.market !== market.id || booking.strategy !== strategy) return;
    const target = this.#target;
    if (this.#last?.book(booking, market)) target?.way.filled();
    const { clientOrderId } = booking;
    const order = this.#options.orders.get(clientOrderId);
    if (target === undefined || order === undefined || kindOfTag(order.tag) !== 'order') return;
    const held = this.#options.positions.position(market.id, strategy).amount;
    const moved = foldBooking(flatPosition(market.id), { booking, market }).amount;
    target.move(clientOrderId, { held, moved });
  }

  #depth(): Depth | undefined {
    return this.#options.prices.depth(this.#parts.market.id);
  }

  #nowMs(): number {
    return this.#options.clock.now();
  }

  /** The order that left last, where it was towards this very target. */
  #lastOf({ intent }: TargetWish): LastOrder | undefined {
    return this.#last?.isTowards(intent.position) ? this.#last : undefined;
  }
}

function nothingFor(target: TargetWish): Difference {
  target.leave();
  return NOTHING;
}

function withCancels(orders: readonly LiveOrder[], { cancels, places }: Difference): Difference {
  return { cancels: [...orders.filter(isCancellable), ...cancels], places };
}

const NEVER = Number.POSITIVE_INFINITY;
